import type { Action } from "@/e2e/faulty-upstream/plan";
import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { expect, faultyTest as test } from "@/e2e/fixtures/test";
import type { E2ePartner } from "@/e2e/fixtures/partner";
import { cookieOf } from "@/e2e/fixtures/signed-in";
import type { Page } from "@playwright/test";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { canary } from "@/e2e/canaries/canary";

/** What a person reads when the payment service or its network misbehaves, and that it is true. */
test.describe.configure({ mode: "serial" });
// The browser logs every answer that is not a success by itself.
test.use({
  expectedNoise: [/Failed to load resource: the server responded with a status of (409|50\d)/],
});

const before = "https://hooks.loja.example/before";
const url = "https://hooks.loja.example/pix";
const unavailable: Action = { answer: { status: 503, body: "{}" } };

function address(partner: E2ePartner, environment = "production"): string {
  return `/partners/${partner.id}/${environment}/webhooks`;
}

const words = {
  en: { edit: "Edit Pix in", url: "Callback URL", save: /^(Register|Overwrite)/ },
  "pt-BR": { edit: "Editar Pix in", url: "URL de callback", save: /^(Cadastrar|Sobrescrever)/ },
};

/** Opens the form, changes the address of both types, and presses save. */
async function saveBoth(page: Page, partner: E2ePartner, locale: keyof typeof words = "en") {
  const { url: label, save } = words[locale];
  await page.goto(`${address(partner)}?edit=both`);
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel(label).fill(url);
  await sheet.getByRole("button", { name: save }).click();
  return sheet;
}

/** Saves both; the service applies it, breaks the connection and does not answer afterwards. */
async function saveUnreadably(
  page: Page,
  partner: E2ePartner,
  upstream: FaultyUpstream,
  locale: keyof typeof words = "en",
) {
  const action: Action = { apply: "first", delayMs: 1_500, cutAfter: 0, ending: "reset" };
  upstream.setPlan({ rules: [{ kind: "register", action }] });
  const sheet = await saveBoth(page, partner, locale);
  await expect.poll(() => upstream.counts().register).toBe(1);
  upstream.setPlan({ rules: [{ kind: "list", action: unavailable }] });
  return sheet;
}

function said(page: Page, text: string) {
  return page.getByRole("status").filter({ hasText: text });
}

test.describe("the service fails while a person views it", () => {
  test("what is known without the service arrives while it gives no answer", async ({
    partner,
    dashboard: { upstream, url: dashboard },
  }) => {
    upstream.setPlan({ rules: [{ kind: "list", action: { cutAfter: 0, ending: "hang" } }] });
    const cookie = await cookieOf(await partner.person("admin"));
    const asked = get(`${dashboard}${address(partner)}`, { headers: { cookie } });
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const [first] = (await once(answer, "data")) as [Buffer];
    asked.destroy();
    expect(first.toString()).toContain(`Where ${partner.name} receives Pix notifications.`);
    expect(first.toString()).toContain("Asking the payment service what is registered…");
  });

  test("the last confirmed configuration stays, marked as old and not to be edited, and recovers by itself, without a reload @main", async ({
    page,
    partner,
    signIn,
    dashboard: { upstream },
  }) => {
    await partner.register({ url: before });
    await signIn(await partner.person("admin"));
    await page.clock.install();
    await page.goto(address(partner));
    await expect(page.getByRole("button", { name: "Edit Pix in" })).toBeEnabled();

    upstream.setPlan({ rules: [{ kind: "list", action: unavailable }] });
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByText("This may be out of date.")).toBeVisible();
    await expect(page.getByText("The payment service is returning errors.")).toBeVisible();
    await expect(page.getByRole("region", { name: "Pix in" })).toContainText(before);
    await page.getByRole("button", { name: "Edit Pix in" }).click({ force: true });
    await expect(page.getByRole("dialog")).toHaveCount(0);

    upstream.setPlan({ rules: [] });
    await page.clock.fastForward(10_000);
    await expect(page.getByText("This may be out of date.")).toHaveCount(0);

    const refresh = page.getByRole("button", { name: "Refresh" });
    await refresh.click();
    await expect(page.getByText("Up to date.")).toBeAttached();
    await page.route("**/api/partners/**", (route) => route.fulfill({ body: "not Gancho" }));
    await refresh.click();
    await expect(page.getByText("Gancho could not reach the payment service.")).toBeAttached();
    await page.unroute("**/api/partners/**");
    await refresh.click();
    await expect(page.getByText("Up to date.")).toBeAttached();

    await page.getByRole("button", { name: "Edit Pix in" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  });

  test("above what is old, the banner names the address to allow, and when to try again", async ({
    page,
    partner,
    signIn,
    dashboard: { upstream },
  }) => {
    await partner.register({ url: before });
    await signIn(await partner.person("admin"));
    await page.goto(address(partner));
    const refresh = page.getByRole("button", { name: "Refresh" });
    const answers = (answer: NonNullable<Action["answer"]>) =>
      upstream.setPlan({ rules: [{ kind: "list", action: { answer } }] });

    answers({ status: 403, body: '{"error":"IP not whitelisted"}' });
    await refresh.click();
    await expect(page.getByText("This may be out of date.")).toBeVisible();
    await expect(page.getByText(/Ask the payment service to add that IP address/)).toBeVisible();
    await expect(page.getByText(/203\.0\.113\.7/)).toBeVisible();

    answers({ status: 429, headers: { "retry-after": "90" } });
    await refresh.click();
    await expect(
      page.getByText("The payment service is limiting Gancho’s requests."),
    ).toBeVisible();
    await expect(page.getByText("Try again in 90 seconds.")).toBeVisible();
    await expect(page.getByText(/203\.0\.113\.7/)).toHaveCount(0);
  });

  test("answers that are not the service's: what happened, what to do, and an id to quote", async ({
    page,
    partner,
    signIn,
    dashboard: { upstream },
  }) => {
    await signIn(await partner.person("admin"));
    const html = { "content-type": "text/html" };
    const rows: [NonNullable<Action["answer"]>, RegExp][] = [
      [
        { body: "<script>alert(1)</script>", headers: html },
        /sent a response that Gancho cannot rely on/,
      ],
      [
        { status: 404, body: "<h1>no</h1>", headers: html },
        /does not look like the payment service.*nothing can be saved here/,
      ],
    ];
    for (const [answer, text] of rows) {
      upstream.setPlan({ rules: [{ kind: "list", action: { answer } }] });
      await page.goto(address(partner));
      const alert = page.getByRole("alert").filter({ hasText: /Reading changed nothing/ });
      await expect(alert).toContainText(text);
      await expect(alert).toContainText(/Request ID [0-9a-f]{16}/);
    }
    upstream.setPlan({ rules: [] });
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("region", { name: "Pix in" })).toBeVisible();
  });

  test("what the service writes is shown as text, never as part of the page @main", async ({
    page,
    partner,
    signIn,
    dashboard: { upstream },
  }) => {
    const error = "<img src=x onerror=alert(1)><b>bold</b>";
    upstream.setPlan({
      rules: [
        { kind: "token", action: { answer: { status: 403, body: JSON.stringify({ error }) } } },
      ],
    });
    await signIn(await partner.person("admin"));
    await page.goto(address(partner));
    await expect(page.getByText(error)).toBeVisible();
    await expect(page.locator("img[src=x]")).toHaveCount(0);
  });
});

test("a connection that is not safe, and one that cannot be made, say why", async ({
  page,
  partner,
  signIn,
}) => {
  await signIn(await partner.person("admin"));
  for (const [environment, text] of [
    ["expired", /certificate has expired, so Gancho did not send the request/],
    ["nowhere", /host name was not found/],
  ] as const) {
    await partner.connect(environment);
    await page.goto(address(partner, environment));
    await expect(page.getByRole("alert").filter({ hasText: text })).toBeVisible();
  }
});

test("a check of the connection reports an address that is not allowed, and changes nothing", async ({
  page,
  partner,
  signIn,
  dashboard: { upstream },
}) => {
  await signIn(await partner.person("admin"));
  await page.goto(`/partners/${partner.id}/production/connection`);
  const answer = { status: 403, body: '{"error":"IP not whitelisted"}' };
  upstream.setPlan({ rules: [{ kind: "token", action: { answer } }] });
  await page.getByRole("button", { name: "Check connection" }).click();
  const finding = page.getByRole("status").filter({ hasText: "The connection does not work" });
  await expect(finding).toContainText("does not allow Gancho’s IP address");
  await expect(finding).toContainText("IP not whitelisted");
  await expect(finding).toContainText("HTTP status 403");
  await expect(page.getByLabel("Client ID")).toHaveValue(partner.credentials.client_id);
});

test("a save over a 404 in other words than the contract's needs confirmation, where nothing is known yet", async ({
  page,
  partner,
  signIn,
  dashboard: { upstream },
}) => {
  await partner.service.register({ url: before });
  await signIn(await partner.person("admin"));
  const answer = { status: 404, body: '{"message":"no such thing"}' };
  upstream.setPlan({ rules: [{ kind: "list", action: { answer } }] });
  const sheet = await saveBoth(page, partner);
  // Nothing is known to be registered, so that a save without a value asks for this first.
  await sheet.getByRole("button", { name: /^Register .* without Authorization$/ }).click();
  await expect(page.getByText("Save despite the ambiguous answer?")).toBeVisible();
  await expect(
    page.getByText("Gancho cannot tell whether anything is registered here."),
  ).toBeVisible();
  expect((await partner.service.list()).map((webhook) => webhook.callback_url)).toEqual([
    before,
    before,
  ]);
  expect(upstream.counts().register).toBe(0);
});

test.describe("a save", () => {
  test.beforeEach(async ({ partner, signIn }) => {
    await partner.register({
      url: before,
      authorization: `Bearer ${canary("authorization", "kept")}`,
    });
    await signIn(await partner.person("admin"));
  });

  const held = async (partner: E2ePartner) =>
    (await partner.service.list()).map(({ callback_url }) => callback_url);

  test("that was applied before the connection broke is saved and confirmed", async ({
    page,
    partner,
    dashboard: { upstream },
  }) => {
    const action: Action = { apply: "first", cutAfter: 0, ending: "reset" };
    upstream.setPlan({ rules: [{ kind: "register", action }] });
    await saveBoth(page, partner);
    await expect(said(page, "Saved and confirmed")).toBeVisible();
    await expect(page.getByRole("region", { name: "Pix out" })).toContainText(url);
    expect(await held(partner)).toEqual([url, url]);
    expect(upstream.counts().register).toBe(1);
  });

  test("that the service failed at is unknown while it may take effect yet, and keeps what was typed @main", async ({
    page,
    partner,
    dashboard: { upstream },
  }) => {
    upstream.setPlan({ rules: [{ kind: "register", action: unavailable }] });
    const sheet = await saveBoth(page, partner);
    const alert = sheet.getByRole("alert").filter({ hasText: "Outcome unknown" });
    await expect(alert).toContainText("Gancho does not know whether anything was changed.");
    await expect(sheet.getByLabel("Callback URL")).toHaveValue(url);
    expect(await held(partner)).toEqual([before, before]);
  });

  test("that the service refuses shows its reason", async ({
    page,
    partner,
    dashboard: { upstream },
  }) => {
    const body = JSON.stringify({ error: "host <b>not</b> reachable" });
    upstream.setPlan({ rules: [{ kind: "register", action: { answer: { status: 422, body } } }] });
    const sheet = await saveBoth(page, partner);
    const alert = sheet.getByRole("alert").filter({ hasText: "Not saved" });
    await expect(alert).toContainText("host <b>not</b> reachable");
  });

  test("that cannot be read back is unknown, and checking again finds out @main", async ({
    page,
    partner,
    dashboard: { upstream },
  }) => {
    const sheet = await saveUnreadably(page, partner, upstream);
    const alert = sheet.getByRole("alert").filter({ hasText: "Outcome unknown" });
    await expect(alert).toContainText("Gancho does not know whether anything was changed.");
    expect(await held(partner)).toEqual([url, url]);
    upstream.setPlan({ rules: [] });
    await alert.getByRole("button", { name: "Check again" }).click();
    await expect(said(page, "Saved and confirmed")).toBeVisible();
    expect(upstream.counts().register).toBe(0);
  });

  test("that took effect for one type offers to save the other one @main", async ({
    page,
    partner,
    dashboard: { upstream },
  }) => {
    // Each type keeps a different value, so that each takes a separate call.
    await partner.register({
      url: before,
      type: "pix_out",
      authorization: `Bearer ${canary("authorization", "other")}`,
    });
    upstream.setPlan({ rules: [{ kind: "register", from: 2, action: unavailable }] });
    const sheet = await saveBoth(page, partner);
    const alert = sheet.getByRole("alert").filter({ hasText: "Partly saved" });
    await expect(alert).toBeVisible();
    expect(await held(partner)).toEqual([url, before]);
    upstream.setPlan({ rules: [] });
    await alert.getByRole("button", { name: "Overwrite Pix out" }).click();
    await expect(said(page, "Saved and confirmed")).toBeVisible();
    expect(await held(partner)).toEqual([url, url]);
  });

  test("is answered and recorded although the dashboard stops meanwhile, and ready says no", async ({
    page,
    partner,
    dashboard,
  }) => {
    const { url: origin, program } = await dashboard.another();
    const api = `${origin}/api/partners/${partner.id}/production/webhooks`;
    const { revision } = (await (await page.request.get(api)).json()) as { revision: string };
    dashboard.upstream.setPlan({ rules: [{ kind: "register", action: { delayMs: 2_000 } }] });
    const answer = page.request.post(api, {
      headers: { origin, "x-requested-by": "gancho" },
      data: { type: "both", url, revision, authorization: { action: "keep" } },
    });
    await expect.poll(() => dashboard.upstream.counts().register).toBe(1);
    const stopped = program.stop();
    await expect
      .poll(async () => (await page.request.get(`${origin}/api/health/ready`)).status())
      .toBe(503);
    expect((await page.request.get(`${origin}/api/health/live`)).status()).toBe(200);

    const saved = await answer;
    expect(await saved.json()).toMatchObject({ outcome: "saved" });
    await stopped;
    // Another process finds it recorded and closed.
    const ours = `/api/partners/${partner.id}/production/webhooks`;
    const { recentChanges } = (await (await page.request.get(ours)).json()) as {
      recentChanges: { outcome: string; requestId: string }[];
    };
    expect(recentChanges[0]).toMatchObject({
      outcome: "saved",
      requestId: saved.headers()["x-request-id"],
    });
  });

  test("is followed by one request id from the answer over the log to the history", async ({
    page,
    partner,
    dashboard,
  }) => {
    const answered = page.waitForResponse(
      (response) => response.request().method() === "POST" && response.url().includes("/webhooks"),
    );
    await saveBoth(page, partner);
    const requestId = (await answered).headers()["x-request-id"] ?? "";
    expect(requestId).toMatch(/^[0-9a-f]{16}$/);
    await expect(said(page, "Saved and confirmed")).toBeVisible();

    const lines = () =>
      dashboard
        .log()
        .split("\n")
        .filter((line) => line.includes(requestId))
        .map((line) => JSON.parse(line) as { msg: string; call?: string; status: number });
    // A program's output is in the file a moment later.
    await expect
      .poll(() => lines().filter(({ msg }) => msg === "request"))
      .toMatchObject([{ status: 200 }]);
    expect(lines().map(({ call }) => call)).toEqual(expect.arrayContaining(["list", "register"]));

    const history = await page.request.get(`/api/partners/${partner.id}/history`);
    expect(await history.text()).toContain(requestId);
  });
});

test.describe("in Portuguese", () => {
  test.use({ locale: "pt-BR" });
  test.beforeEach(async ({ partner, signIn }) => {
    await partner.register({
      url: before,
      authorization: `Bearer ${canary("authorization", "kept")}`,
    });
    await signIn(await partner.person("admin"));
  });

  test("a save whose outcome is unknown", async ({ page, partner, dashboard: { upstream } }) => {
    const sheet = await saveUnreadably(page, partner, upstream, "pt-BR");
    await expect(sheet.getByRole("alert").first()).toContainText(
      "O Gancho não sabe se algo foi alterado.",
    );
  });
});
