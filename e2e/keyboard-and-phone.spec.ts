import type { Locator, Page } from "@playwright/test";
import { expect, pressEscape, test } from "@/e2e/fixtures/test";

const url = "https://hooks.loja.example/pix";
const scripts = "**/*.js";

test("a person without a mouse registers a webhook, and focus comes back to where it was @main", async ({
  page,
  partner,
  visit,
}) => {
  await visit("editor", "sandbox/webhooks");
  const opener = page.getByRole("button", { name: "Register webhook" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  await expect(sheet.getByLabel("Callback URL")).toBeFocused();
  await page.keyboard.type(url);
  await page.keyboard.press("Enter");
  await expect(sheet.getByRole("alert")).toContainText("Register without Authorization?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url },
    { type: "pix_out", callback_url: url },
  ]);
  await expect(page.getByRole("button", { name: "Change both" })).toBeFocused();
  await page.getByRole("button", { name: "Dismiss" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

test("what is pressed before the scripts have arrived happens once they have", async ({
  page,
  partner,
  signIn,
}) => {
  await signIn(await partner.person("admin"));
  const press = async (at: string, button: string, then: Locator) => {
    const arrive = await hold(page, scripts);
    await page.goto(`/partners/${partner.id}/${at}`, { waitUntil: "commit" });
    await page.getByRole("button", { name: button }).click();
    await expect(then).toHaveCount(0);
    arrive();
    await expect(then).toBeAttached();
    await page.unroute(scripts);
  };
  const dialog = page.getByRole("dialog");
  await press("team", "Invite a person", dialog);
  await press("sandbox/webhooks", "Register webhook", dialog);
  await partner.register({ url });
  await press("sandbox/webhooks", "Edit Pix in", dialog);
  await press("sandbox/webhooks", "Refresh", page.getByText("Up to date."));
});

test("a sheet opens after a press from before the messages came, which are asked for until they come", async ({
  page,
  partner,
  signIn,
  expectedNoise,
}) => {
  expectedNoise.push(/Failed to load resource|was preloaded using link preload/);
  let failures = 0;
  await page.route("**/words/*", (route) =>
    failures++ < 3 ? route.abort("connectionreset") : route.fallback(),
  );
  await partner.register({ url });
  await signIn(await partner.person("admin"));
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await expect(sheet.getByLabel("Callback URL")).toHaveValue(url);
  expect(failures).toBeGreaterThan(3);
});

test("a form submitted before the scripts have arrived is sent once they have", async ({
  page,
  partner,
  expectedNoise,
}) => {
  expectedNoise.push(/401 \(Unauthorized\)/);
  const arrive = await hold(page, scripts);
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByLabel("Email").fill(await partner.person("admin"));
  await page.getByLabel("Password").fill(" wrong, as it is ");
  await page.keyboard.press("Enter");
  const sent = page.waitForRequest("**/api/sign-in/password");
  arrive();
  expect((await sent).postDataJSON()).toMatchObject({ password: " wrong, as it is " });
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(page.getByText("Email or password is incorrect.")).toBeVisible();
});

test("a button keeps the focus while its check runs, also once the panel is closed", async ({
  page,
  partner,
  visit,
}) => {
  // Registered by another client: Gancho would not have accepted it.
  await partner.service.register({ url: "https://10.0.0.1/pix", type: "pix_in" });
  await visit("editor", "sandbox/webhooks");
  const arrive = await hold(page, "**/endpoint-checks");
  const check = page.getByRole("button", { name: "Check endpoint of Pix in" });
  await check.press("Enter");
  await pressEscape(page.getByRole("dialog", { name: "Check endpoint" }));
  await expect(check).toBeFocused();
  await expect(check).toHaveAttribute("aria-busy", "true");
  arrive();
  await expect(check).not.toHaveAttribute("aria-busy");
  await expect(check).toBeFocused();
});

test("where a button goes away once it is pressed, the page's content has the focus", async ({
  page,
  partner,
  visit,
}) => {
  await visit("admin", "sandbox/connection");
  await page.getByLabel("Client ID", { exact: true }).fill("typed");
  await page.getByRole("button", { name: "Discard changes" }).press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  await page.goto(`/partners/${partner.id}/sandbox/history?show=failures`);
  await page.getByRole("button", { name: "Clear filters" }).press("Enter");
  await expect(page).toHaveURL(/\/history$/);
  await expect(page.getByRole("main")).toBeFocused();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a partner overwrites an address with its thumb, and signs out @main", async ({
    page,
    partner,
    visit,
  }) => {
    await partner.register({ url, type: "pix_out" });
    await visit("admin", "sandbox/webhooks");
    const [check, edit] = [
      await page.getByRole("button", { name: "Check endpoint of Pix out" }).boundingBox(),
      await page.getByRole("button", { name: "Edit Pix out" }).boundingBox(),
    ];
    expect(check?.y).toBe(edit?.y);
    await page.getByRole("button", { name: "Edit Pix out" }).tap();
    const sheet = page.getByRole("dialog", { name: "Edit webhook" });
    await sheet.getByLabel("Callback URL").fill(`${url}/phone`);
    await sheet.getByRole("button", { name: "Overwrite Pix out" }).tap();
    await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
    expect(await partner.service.list()).toMatchObject([{ callback_url: `${url}/phone` }]);
  });
});

/** Delays these requests of the page until the result is called. */
async function hold(page: Page, requests: string): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(requests, async (route) => {
    await arrived;
    await route.continue();
  });
  return arrive;
}
