import type { Page } from "@playwright/test";
import { canary } from "@/e2e/canaries/canary";
import type { Action } from "@/e2e/faulty-upstream/plan";
import { inspect, look } from "@/e2e/fixtures/inspect";
import type { E2ePartner } from "@/e2e/fixtures/partner";
import { expect, pressEscape, faultyTest as test } from "@/e2e/fixtures/test";

/** What a person reads about a save that is not shown yet, and about a service that does not list everything. */
test.describe.configure({ mode: "default" });
// The browser itself logs every unsuccessful answer.
test.use({
  expectedNoise: [
    /Failed to load resource: (net::ERR_FAILED|the server responded with a status of (401|409|50\d))/,
  ],
});
test.afterEach(async ({ dashboard: { upstream } }) => {
  upstream.setPlan({ rules: [] });
});

const before = "https://hooks.loja.example/before";
const url = "https://hooks.loja.example/pix";
const value = `Bearer ${canary("authorization", "typed")}`;
const acknowledged = { status: 201, body: '{"message":"Operation succeeded"}' };
const unavailable: Action = { answer: { status: 503, body: '{"message":"down"}' } };
const broken: Action = { apply: "never", cutAfter: 0, ending: "reset" };

const address = ({ id }: E2ePartner) => `/partners/${id}/production/webhooks`;

const overwrite = /^(Overwrite|Sobrescrever)/;

/** Opens the form, changes the address of both types with a typed value, and presses save. */
async function saveBoth(page: Page, partner: E2ePartner, button: string | RegExp = overwrite) {
  await page.goto(`${address(partner)}?edit=both`);
  const sheet = page.getByRole("dialog", { name: /^(Edit|Editar) webhook$/ });
  await sheet.getByLabel(/Callback URL|URL de callback/).fill(url);
  await sheet.getByRole("radio", { name: /^(Replace it|Substituir)/ }).check();
  await sheet
    .getByRole("textbox", { name: /Authorization value|Valor do Authorization/ })
    .fill(value);
  await sheet.getByRole("button", { name: button }).click();
  return sheet;
}

/** A list with these values for both types. */
function showing(callback_url: string, auth_header: string): Action {
  const item = (type: string) => ({ type, callback_url, auth_header, events: [] });
  return { answer: { body: JSON.stringify({ webhooks: ["pix_in", "pix_out"].map(item) }) } };
}

const masking = (callback_url: string) => showing(callback_url, "Bear****");

const banner = (page: Page, title: string) =>
  page.getByRole("main").getByText(title, { exact: true });

const lookTest = test.extend(look);

test.beforeEach(async ({ partner, signIn }) => {
  await partner.register({ url: before, authorization: value });
  await signIn(await partner.person("admin"));
});

test("a change that the service applies late is accepted first, outlives a reload, and its end is reported @main", async ({
  page,
  partner,
  dashboard: { upstream },
}) => {
  const late: Action = { apply: { lateMs: 25_000 }, answer: acknowledged };
  upstream.setPlan({ rules: [{ kind: "register", action: late }] });
  const sheet = await saveBoth(page, partner);
  const said = sheet.getByRole("status").filter({ hasText: "Accepted, not shown yet" });
  await expect(said).toContainText(
    /Last looked at \d\d:\d\d\. The dashboard goes on looking until \d\d:\d\d\./,
  );

  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Close before the outcome is known?" });
  await expect(question).toContainText("The change may have taken effect.");
  await expect(page.getByText("What has not been saved is lost.")).toHaveCount(0);
  await question.getByRole("button", { name: "Close" }).click();
  await expect(banner(page, "Accepted, not shown yet")).toBeVisible();

  await page.reload();
  await expect(banner(page, "Accepted, not shown yet")).toBeVisible();
  await expect(page.getByText(/Ana Admin asked for a change to Pix in and Pix out/)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible({
    timeout: 60_000,
  });
  await expect(banner(page, "Accepted, not shown yet")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
  expect(upstream.counts().register).toBe(1);
});

test("a save without a clear answer is never called unsent, and a colleague with the viewer role sees it and can check @main", async ({
  page,
  partner,
  baseURL,
  elsewhere,
  dashboard: { upstream },
}) => {
  upstream.setPlan({ rules: [{ kind: "register", action: broken }] });
  const sheet = await saveBoth(page, partner);
  const alert = sheet.getByRole("alert").filter({ hasText: "No clear answer, not shown yet" });
  await expect(alert).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(
    page.getByRole("alertdialog", { name: "Close before the outcome is known?" }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Stay" }).click();
  await alert.getByRole("button", { name: "Check again" }).click();
  await expect(alert).toContainText("It is still not shown.");

  const other = await elsewhere(await partner.person("viewer"));
  await other.goto(`${baseURL}${address(partner)}`);
  await expect(banner(other, "No clear answer, not shown yet")).toBeVisible();
  await expect(other.getByText(/Ana Admin asked for a change to Pix in and Pix out/)).toBeVisible();
  await other.getByRole("button", { name: "Check again" }).click();
  await expect(other.getByText("Still not shown.")).toBeVisible();

  await partner.service.register({ url, authorization: value });
  // No answer came to the write, so it is not called saved.
  const ended = other.getByRole("status").filter({ hasText: /^Shown/ });
  // The page also checks by itself every ten seconds, and may find it out before the press.
  await other.getByRole("button", { name: "Check again" }).or(ended).first().click();
  // A press within half a second of the last reading gets that one. The page's own next two then see it, and confirm it.
  await expect(ended).toContainText(/The service has shown it since \d\d:\d\d\./, {
    timeout: 30_000,
  });
  await expect(banner(other, "No clear answer, not shown yet")).toHaveCount(0);
  // The button with the focus went with its notice.
  await expect(other.getByRole("main")).toBeFocused();
});

test("what is typed while a save's outcome is open stays when that is known, and can be saved", async ({
  page,
  partner,
  dashboard: { upstream },
}) => {
  upstream.setPlan({ rules: [{ kind: "register", action: broken }] });
  const sheet = await saveBoth(page, partner);
  await expect(
    sheet.getByRole("alert").filter({ hasText: "No clear answer, not shown yet" }),
  ).toBeVisible();
  const field = sheet.getByLabel("Callback URL");
  await field.fill(`${url}/next`);
  await partner.service.register({ url, authorization: value });
  // The page's own next two readings find it out.
  const shown = sheet.getByRole("status").filter({ hasText: /^Shown/ });
  await expect(shown).toBeVisible({ timeout: 60_000 });
  await expect(field).toHaveValue(`${url}/next`);
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard what you entered?" });
  await question.getByRole("button", { name: "Keep editing" }).click();

  upstream.setPlan({ rules: [] });
  await sheet.getByRole("button", { name: /^Overwrite/ }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  expect((await partner.service.list()).map(({ callback_url }) => callback_url)).toEqual([
    `${url}/next`,
    `${url}/next`,
  ]);
});

test("a refresh keeps the page's state, whether it or the first load was slow", async ({
  page,
  partner,
  baseURL,
  dashboard: { upstream },
}) => {
  upstream.setPlan({ rules: [{ kind: "register", action: broken }] });
  const sheet = await saveBoth(page, partner);
  await expect(
    sheet.getByRole("alert").filter({ hasText: "No clear answer, not shown yet" }),
  ).toBeVisible();
  // The other language shows what was refreshed.
  const refreshIn = async (locale: string) => {
    await page.context().addCookies([{ name: "gancho-locale", value: locale, url: baseURL ?? "" }]);
    await page.evaluate("window.next.router.refresh()");
  };
  const slow = { rules: [{ kind: "list" as const, action: { delayMs: 500 } }] };

  await page.goto(address(partner));
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Still not shown.")).toBeVisible();
  upstream.setPlan(slow);
  await refreshIn("pt-BR");
  await expect(page.getByRole("button", { name: "Verificar de novo" })).toBeVisible();
  await expect(page.getByText("Ainda não aparece.")).toBeVisible();

  await page.goto(address(partner));
  await page.getByRole("button", { name: "Verificar de novo" }).click();
  await expect(page.getByText("Ainda não aparece.")).toBeVisible();
  upstream.setPlan({ rules: [] });
  await refreshIn("en");
  await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
  await expect(page.getByText("Still not shown.")).toBeVisible();
});

test("a waiting change arrives with the cards below it, also where the service is slow", async ({
  page,
  partner,
  call,
  dashboard: { upstream },
}) => {
  await partner.person("admin");
  await partner.fourEyes();
  const { revision } = await (await page.request.get(`/api${address(partner)}`)).json();
  const data = { type: "both", url, revision, authorization: { action: "keep" } };
  await call("POST", "production/webhooks", data);
  upstream.setPlan({ rules: [{ kind: "list", action: { delayMs: 600 } }] });
  const arrives = async (path: string, shown: string) => {
    let html = "";
    // Not while Gancho still answers with its last reading.
    await expect
      .poll(async () => (html = await (await page.request.get(path)).text()))
      .toContain("reading now…");
    expect(html).toContain(shown);
    return html;
  };
  await arrives(address(partner).replace(/webhooks$/, "approvals"), url);
  const html = await arrives(address(partner), "a change waits for a second person");
  // React shows later what has a boundary of its own.
  expect(html).not.toContain('<template id="B:');
});

test("the page shows what is known while the service is asked, can be edited, and takes the answer into the same boxes", async ({
  page,
  partner,
  refreshUntil,
  dashboard: { upstream },
}) => {
  await page.goto(address(partner));
  const card = page.getByRole("region", { name: "Pix in" });
  await expect(card).toContainText(before);
  upstream.setPlan({ rules: [{ kind: "list", action: { held: true } }] });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  // Not within half a second of the last reading, which Gancho would answer with.
  await expect(async () => {
    await page.goto(address(partner), { waitUntil: "commit" });
    await expect(page.getByText("reading now…")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(card).toContainText(before);
  await card.getByRole("button", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await expect(sheet.getByLabel("Callback URL")).toHaveValue(before);
  await pressEscape(sheet);
  await expect(sheet).toBeHidden();
  await page.evaluate("shifts.length = 0");
  upstream.setPlan({ rules: [] });
  upstream.release();
  await expect(page.getByText("reading now…")).toBeHidden();
  expect(await page.evaluate("shifts"), "the answer moves nothing").toEqual([]);

  // Nor does it move anything that the service does not answer, or does so again.
  for (const width of [1360, 390]) {
    await page.setViewportSize({ width, height: 844 });
    upstream.setPlan({ rules: [{ kind: "list", action: { held: true, ...unavailable } }] });
    await expect(async () => {
      await page.goto(address(partner), { waitUntil: "commit" });
      await expect(page.getByText("reading now…")).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByText("All well.")).toBeVisible();
    await page.evaluate("shifts.length = 0");
    upstream.setPlan({ rules: [{ kind: "list", action: unavailable }] });
    upstream.release();
    await expect(page.getByText("This may be out of date.")).toBeInViewport();
    await expect(page.getByText("All was well.")).toBeVisible();
    upstream.setPlan({ rules: [] });
    await expect(page.getByText("All well.")).toBeVisible();
    expect(await page.evaluate("shifts"), `neither moves anything at ${width}`).toEqual([]);
  }
  await partner.service.register({ url: `${url}/elsewhere`, authorization: value });
  await refreshUntil(card.getByText(`${url}/elsewhere`));
});

test("the open pages of a change's author and approver follow it to its end, where the service hides the value", async ({
  page,
  partner,
  baseURL,
  elsewhere,
  refreshUntil,
  dashboard: { upstream },
}) => {
  const other = await elsewhere(await partner.person("admin"));
  await partner.fourEyes();
  await saveBoth(page, partner, "Send for approval");
  const waits = page.getByText("Another editor or admin can approve it in Approvals.");
  await expect(waits).toBeVisible();

  const forgotten: Action = { apply: "never", answer: acknowledged };
  upstream.setPlan({ rules: [{ kind: "register", action: forgotten }] });
  await other.goto(`${baseURL}/partners/${partner.id}/production/approvals`);
  await other.getByRole("button", { name: "Approve the change to" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Approve and save" }).click();
  const approved = other.getByRole("status").filter({ hasText: "Accepted, not shown yet" });
  await expect(approved).toContainText(/The dashboard goes on looking until \d\d:\d\d/);
  await refreshUntil(banner(page, "Accepted, not shown yet"));
  await expect(waits).toHaveCount(0);
  await page.goto(`/partners/${partner.id}/production/approvals`);
  const decision = page.getByRole("region", { name: "Decisions on your proposals" });
  await expect(decision).toContainText("no reading has shown it yet");

  upstream.setPlan({ rules: [{ kind: "list", action: masking(url) }] });
  const shown = other.getByRole("status").filter({ hasText: /^Address shown/ });
  await expect(shown).toContainText("a placeholder or no value", { timeout: 30_000 });
  await expect(approved).toHaveCount(0);
  await expect(decision).toContainText("The payment service showed the address", {
    timeout: 30_000,
  });
});

test("a save that never arrived is recognised by its id, not by what is registered @main", async ({
  page,
  partner,
}) => {
  await page.route("**/production/webhooks", (route) =>
    route.request().method() === "POST" ? route.abort("failed") : route.continue(),
  );
  const sheet = await saveBoth(page, partner);
  const alert = sheet.getByRole("alert").filter({ hasText: "No clear answer, not shown yet" });
  await expect(alert).toBeVisible();
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await alert.getByRole("button", { name: "Check again" }).click();
  await expect(alert.getByRole("link", { name: "Sign in in a new tab" })).toBeVisible();
  await page.context().addCookies(cookies);
  // Another client registers the very same meanwhile.
  await partner.service.register({ url, authorization: value });
  await alert.getByRole("button", { name: "Check again" }).click();
  await expect(sheet.getByRole("alert").filter({ hasText: /^Not sent/ })).toContainText(
    "Nothing from this save was or will be sent to the payment service",
  );
});

test("the page says that the service shows another value than was saved, and the sheet asks for one", async ({
  page,
  partner,
  dashboard: { upstream },
}) => {
  upstream.setPlan({ rules: [{ kind: "list", action: showing(before, "5e884898da280471") }] });
  await page.goto(address(partner));
  const main = page.getByRole("main");
  const title = /^Pix in and Pix out: another Authorization value, or none, was shown/;
  await expect(main.getByRole("heading", { name: title })).toBeVisible();
  await expect(main).toContainText("No save here sent it");
  const card = page.getByRole("region", { name: "Pix in" });
  await expect(card).toContainText("This is not the value that the dashboard sent last.");

  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await expect(sheet.getByRole("radio", { name: "Replace it" })).toBeChecked();
  await sheet.getByLabel("Callback URL").fill(url);
  await expect(sheet.getByRole("radio", { name: "Keep the current value" })).toBeDisabled();
  await expect(sheet).toContainText(
    "shows a different value from the one that the dashboard sent last",
  );
  await sheet.getByRole("button", { name: /^Overwrite/ }).click();
  await expect(sheet).toContainText("Enter or generate a value.");
  expect(upstream.counts().register).toBe(0);
});

test("an item without a type may be of either type, so neither card nor form says that nothing is registered", async ({
  page,
  partner,
  dashboard: { upstream },
}) => {
  const body = JSON.stringify({ webhooks: [{ callback_url: before, events: [] }] });
  upstream.setPlan({ rules: [{ kind: "list", action: { answer: { body } } }] });
  await page.goto(address(partner));
  for (const name of ["Pix in", "Pix out"])
    await expect(page.getByRole("region", { name })).toContainText(
      /Uncertain.*One of the items below has no type: it may be this one\./,
    );
  await page.getByRole("button", { name: "Register Pix in" }).click();
  await expect(page.getByRole("dialog", { name: "Register webhook" })).toContainText(
    "The dashboard cannot tell whether anything is registered for Pix in.",
  );
});

test("going back after six minutes shows what was saved, and that it is old, while the service does not answer", async ({
  page,
  partner,
  dashboard: { upstream },
}) => {
  await page.clock.install();
  await saveBoth(page, partner);
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await page.getByRole("link", { name: "History", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "History" })).toBeVisible();
  await page.clock.fastForward("06:00");
  upstream.setPlan({ rules: [{ kind: "list", action: { delayMs: 8_000 } }] });
  await page.goBack();
  const card = page.getByRole("region", { name: "Pix in" });
  await expect(card).toBeVisible();
  expect(await card.textContent()).toContain(url);
  await expect(page.getByText("read 6 minutes ago")).toBeVisible();
});

lookTest(
  "an accepted save: reported, checked, closed before it is shown, and above the cards @look",
  async ({ page, partner, dashboard: { upstream } }) => {
    const forgotten: Action = { apply: "never", answer: acknowledged };
    upstream.setPlan({ rules: [{ kind: "register", action: forgotten }] });
    const sheet = await saveBoth(page, partner);
    const check = sheet.getByRole("button", { name: /Check again|Verificar de novo/ });
    await expect(check).toBeVisible();
    await inspect(page, "save-accepted");
    upstream.setPlan({ rules: [{ kind: "list", action: { delayMs: 8_000 } }] });
    await check.click();
    await expect(
      sheet.getByText(/Looking at what is registered…|Lendo o que está cadastrado…/),
    ).toBeVisible();
    await inspect(page, "save-checking");
    await page.keyboard.press("Escape");
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText(
      /Close before the outcome is known|Fechar antes de saber o resultado/,
    );
    await inspect(page, "save-close");
    await question.getByRole("button", { name: /^(Close|Fechar)$/ }).click();
    upstream.setPlan({ rules: [] });
    await expect(
      page.getByText(/Ana Admin (asked for a change|pediu uma alteração)/),
    ).toBeVisible();
    await inspect(page, "open-save-accepted");
  },
);

lookTest(
  "a save without a clear answer, and one that another client preceded @look",
  async ({ page, partner, dashboard: { upstream } }) => {
    upstream.setPlan({ rules: [{ kind: "register", action: broken }] });
    const sheet = await saveBoth(page, partner);
    await expect(
      sheet.getByRole("button", { name: /Check again|Verificar de novo/ }),
    ).toBeVisible();
    await inspect(page, "save-unclear");
    await page.keyboard.press("Escape");
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^(Close|Fechar)$/ })
      .click();
    await expect(
      page.getByText(/Ana Admin (asked for a change|pediu uma alteração)/),
    ).toBeVisible();
    await inspect(page, "open-save-unclear");

    upstream.setPlan({ rules: [] });
    await page.goto(`${address(partner)}?edit=both`);
    const again = page.getByRole("dialog");
    await again.getByLabel(/Callback URL|URL de callback/).fill(`${url}/mine`);
    await partner.service.register({ url: `${before}/theirs`, authorization: value });
    await again.getByRole("button", { name: overwrite }).click();
    await expect(
      again.getByRole("button", {
        name: /Save mine|Salvar a minha/,
      }),
    ).toBeVisible();
    await inspect(page, "save-conflict");
  },
);

lookTest(
  "a service that masks the value: the cards, the form, what came of a save, and the history @look",
  async ({ page, partner, dashboard: { upstream } }) => {
    upstream.setPlan({ rules: [{ kind: "list", action: masking(before) }] });
    await page.goto(address(partner));
    await expect(page.getByRole("region", { name: "Pix in" })).toContainText(before);
    await inspect(page, "value-not-shown");
    upstream.setPlan({
      rules: [
        { kind: "register", action: { apply: "first", delayMs: 1_500 } },
        { kind: "list", action: masking(before) },
      ],
    });
    await saveBoth(page, partner);
    await expect.poll(() => upstream.counts().register).toBe(1);
    upstream.setPlan({ rules: [{ kind: "list", action: masking(url) }] });
    await expect(
      page
        .getByText(/shows a placeholder or no value|aparece um valor mascarado ou nenhum valor/)
        .first(),
    ).toBeVisible();
    await inspect(page, "save-value-not-shown");
    await page.goto(`/partners/${partner.id}/production/history`);
    await expect(page.getByText(/shows the address of Pix|exibe o endereço de Pix/)).toBeVisible();
    await inspect(page, "history-value-not-shown");
  },
);
