import { expect, pressEscape, test } from "@/e2e/fixtures/test";
import { canary } from "@/e2e/canaries/canary";
import { sessionCookieOf } from "@/e2e/fixtures/signed-in";
import type { Page } from "@playwright/test";

const first = `Bearer ${canary("authorization", "first")}`;
const url = "https://hooks.loja.example/pix";

test.beforeEach(async ({ partner, signIn }) => {
  await signIn(await partner.person("admin"));
});

test("a partner registers its first webhook for both types, and the service has it @main", async ({
  page,
  partner,
}) => {
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await page.getByRole("button", { name: "Register webhook" }).click();
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  await sheet.getByRole("radio", { name: "Both" }).check();
  await sheet.getByLabel("Callback URL").fill(url);
  await sheet.getByRole("radio", { name: "Replace it" }).check();
  await sheet.getByLabel("Authorization value").fill(first);
  await sheet.getByRole("button", { name: /^Register/ }).click();

  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
  await expect(page.getByRole("region", { name: "Pix out" })).toContainText(url);
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url, auth_header: first },
    { type: "pix_out", callback_url: url, auth_header: first },
  ]);
});

test("the sheet says which messages a check of its address sends and, while a save runs, its progress as the server reports it", async ({
  page,
  partner,
}) => {
  await partner.register({ url, type: "pix_in" });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(`**/api/partners/${partner.id}/sandbox/webhooks`, async (route) => {
    if (route.request().method() === "POST") await arrived;
    await route.continue();
  });
  let step: string | null = null;
  await page.route("**/operations/*/step", (route) => route.fulfill({ json: { step } }));
  await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  // No registered value, because none is set.
  await expect(sheet).toContainText("Sends one message without Authorization.");
  await sheet.getByLabel("Callback URL").fill(`${url}/in`);
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();

  await expect(sheet.locator("button[type=submit]")).toHaveAttribute("aria-busy", "true");
  // Until the server reports a step, the sheet names both.
  await expect(sheet).toContainText("Saving, then reading back");
  for (const [at, words] of [
    ["preparing", "Nothing has been sent yet."],
    ["sending", "Sending to the payment service…"],
    ["reading_back", "Reading back what the payment service has…"],
  ] as const) {
    step = at;
    await expect(sheet).toContainText(words);
  }
  arrive();
  await expect(page.getByRole("status")).toContainText(/^Saved/);
});

test("a card says at once how the check of its endpoint ended, and nothing where that is not known", async ({
  page,
  partner,
  refreshUntil,
}) => {
  // Registered by another client: Gancho would not have accepted it.
  await partner.service.register({ url: "https://10.0.0.1/pix", type: "pix_in" });
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  const card = page.getByRole("region", { name: "Pix in", exact: true });
  await card.getByRole("button", { name: "Check endpoint of Pix in" }).click();
  const panel = page.getByRole("dialog", { name: "Check endpoint" });
  await expect(panel).toContainText("that is not on the public internet");
  await pressEscape(panel);
  const last = card.getByRole("group", { name: "Last check of the endpoint" });
  await expect(last).toContainText(/Checked .* by/);

  // From now on, only the page itself says it.
  await page.route("**/endpoint-checks", (route) => route.fulfill({ body: "not Gancho" }));
  await page.reload();
  await expect(last).toContainText(/Checked .* by/);
  await partner.service.register({ url: "https://10.0.0.2/pix", type: "pix_in" });
  await refreshUntil(card.getByText("10.0.0.2"));
  await expect(last).toHaveCount(0);
});

test("whoever acknowledged a change from outside is not told so again, where somebody else acknowledged the next one", async ({
  page,
  partner,
  baseURL,
  elsewhere,
  refreshUntil,
}) => {
  const path = `/partners/${partner.id}/sandbox/webhooks`;
  const ours = (of: Page) => of.getByRole("button", { name: "It was us" });
  const told = (of: Page) => of.getByRole("status").filter({ hasText: "Change acknowledged" });
  await partner.register({ url, type: "pix_in" });
  await page.goto(path);
  await partner.service.register({ url: `${url}/theirs`, type: "pix_in" });
  await refreshUntil(ours(page));
  await ours(page).click();
  await expect(told(page)).toBeVisible();

  await partner.service.register({ url: `${url}/again`, type: "pix_in" });
  await refreshUntil(ours(page));
  const other = await elsewhere(await partner.person("editor"));
  await other.goto(`${baseURL}${path}`);
  await ours(other).click();
  await expect(told(other)).toBeVisible();
  await refreshUntil(page.getByText(`${url}/again`));
  await expect(ours(page)).toHaveCount(0);
  await expect(told(page)).toHaveCount(0);
});

test("a printed page shows what is registered, dark on white, and no buttons", async ({
  page,
  partner,
}) => {
  await partner.register({ url });
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await expect(page).toHaveTitle(`Webhooks · ${partner.name} · Sandbox · Gancho`);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.locator("html")).toHaveCSS("color", "rgb(15, 23, 22)");
  const { width } = (await page.getByRole("main").boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThan(1_000);
});

test("after another person's change, the form compares with what is registered now, to accept or to overwrite @main", async ({
  page,
  partner,
  expectedNoise,
}) => {
  // The browser itself logs the refusal.
  expectedNoise.push(/409 \(Conflict\)/);
  await partner.register({ url });
  await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(`${url}/mine`);
  await partner.service.register({ url: `${url}/theirs` });
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();

  await expect(sheet.getByRole("alert")).toContainText("no save here asked for it");
  const preview = sheet.getByRole("region", { name: "What will change" });
  await expect(preview).toHaveText(
    /before ?url https:\/\/hooks\.loja\.example\/pix\/theirs.*after ?url https:\/\/hooks\.loja\.example\/pix\/mine/,
  );
  // Pressing Enter decides nothing.
  await sheet.getByLabel("Callback URL").press("Enter");
  expect((await partner.service.list())[0]?.callback_url).toBe(`${url}/theirs`);
  await sheet.getByRole("button", { name: "Take theirs" }).click();
  await expect(sheet.getByLabel("Callback URL")).toHaveValue(`${url}/theirs`);

  await sheet.getByLabel("Callback URL").fill(`${url}/mine`);
  // After a change from outside, nobody knows whether the other client set a value.
  await sheet.getByRole("radio", { name: "Replace it" }).check();
  await sheet.getByLabel("Authorization value").fill("Bearer e2e-mine");
  await partner.service.register({ url: `${url}/others` });
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
  await expect(sheet).toContainText(`${url}/others`);
  await sheet.getByRole("button", { name: "Save mine" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  expect((await partner.service.list())[0]?.callback_url).toBe(`${url}/mine`);
});

test("a form that was opened before another person signed in in the same browser saves nothing in their name (threat: changes in another's name)", async ({
  page,
  partner,
  context,
  baseURL,
  expectedNoise,
}) => {
  // The browser itself logs the refusal.
  expectedNoise.push(/409 \(Conflict\)/);
  await partner.register({ url });
  await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(`${url}/mine`);
  const cookie = await sessionCookieOf(await partner.person("editor"));
  await context.addCookies([{ ...cookie, url: baseURL ?? "", httpOnly: true, sameSite: "Lax" }]);
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
  await expect(sheet.getByRole("alert")).toContainText(
    "Somebody else is signed in in this browser now.",
  );
  await expect(sheet.getByRole("alert")).toContainText("Nothing was changed.");
  expect((await partner.service.list())[0]?.callback_url).toBe(url);
});
