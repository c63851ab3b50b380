import type { Page } from "@playwright/test";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { expect, test } from "@/e2e/fixtures/test";

/** What a person can rely on while the network is away, and where the session is over. */
// The browser itself logs every request that does not arrive, and every refusal.
test.use({ expectedNoise: [/ERR_INTERNET_DISCONNECTED|401 \(Unauthorized\)/] });

const url = "https://hooks.loja.example/pix";
const scripts = "**/_next/static/**";

test("editing is off offline, and a link keeps the page and opens once the network is back", async ({
  page,
  context,
  partner,
  visit,
}) => {
  await partner.register({ url });
  await visit("admin", "sandbox/webhooks");
  await context.setOffline(true);
  await expect(page.getByRole("alert").filter({ hasText: "You are offline." })).toBeVisible();
  const edit = page.getByRole("button", { name: "Edit Pix in" });
  await expect(edit).toBeDisabled();
  await expect(edit).toHaveAccessibleDescription(/You are offline, so nothing can be saved/);
  await page.getByRole("link", { name: "Team" }).click();
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
  expect(page.url()).toContain("/sandbox/webhooks");
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Team" })).toBeVisible();
  await expect(page.getByText("You are offline.")).toHaveCount(0);
});

test("a form that did not load is not called Gancho's fault, and opens once the network is back", async ({
  page,
  partner,
  visit,
}) => {
  await partner.service.register({ url });
  await visit("admin", "sandbox/webhooks");
  // The browser has not noticed yet: where it has, editing is off.
  await page.route(scripts, (route) => route.abort("internetdisconnected"));
  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const reported = page.getByRole("alertdialog", {
    name: "This part of the dashboard did not load",
  });
  await expect(reported).toContainText("Nothing was sent or changed.");
  await expect(page.getByText("The fault is the dashboard’s")).toHaveCount(0);
  await reported.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);

  await page.getByRole("button", { name: "Edit Pix in" }).click();
  await expect(reported).toBeVisible();
  await page.unroute(scripts);
  await reported.getByRole("button", { name: "Try again" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await expect(sheet.getByLabel("Callback URL")).toHaveValue(url);
});

test.describe("after an update that took the scripts of this page away", () => {
  // The browser logs the answers, and the framework what follows from them.
  test.use({ expectedNoise: [/404 \(Not Found\)|502 \(Bad|Failed to load chunk|MIME type/] });

  /** Until the browser has fetched a page anew, whose scripts are there. */
  async function takeScripts(page: Page): Promise<void> {
    let isNew = false;
    page.on("request", (request) => (isNew ||= request.isNavigationRequest()));
    await page.route(scripts, (route) =>
      isNew ? route.fallback() : route.fulfill({ status: 404, body: "Not Found" }),
    );
  }

  test("a form is not called offline, and opens after a reload", async ({
    page,
    partner,
    visit,
  }) => {
    await partner.service.register({ url });
    await visit("admin", "sandbox/webhooks");
    await takeScripts(page);
    await page.getByRole("button", { name: "Edit Pix in" }).click();
    const reported = page.getByRole("alertdialog", {
      name: "This part of the dashboard did not load",
    });
    await expect(reported).toContainText("The dashboard may have been updated");
    await expect(reported).not.toContainText("offline");
    await reported.getByRole("button", { name: "Try again" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit webhook" });
    await expect(sheet.getByLabel("Callback URL")).toHaveValue(url);
  });

  test("a page says that it did not arrive, and arrives after a reload", async ({
    page,
    visit,
  }) => {
    await visit("admin", "sandbox/webhooks");
    await takeScripts(page);
    await page.getByRole("link", { name: "Team" }).click();
    await expect(
      page.getByRole("heading", { name: "This part of the dashboard did not load" }),
    ).toBeVisible();
    await expect(page.getByText("The fault is the dashboard’s")).toHaveCount(0);
    const tryAgain = page.getByRole("button", { name: "Try again" });
    await page.route("**/api/health/live", (route) => route.fulfill({ status: 502 }));
    await tryAgain.click();
    await expect(page.getByText("The dashboard did not answer just now.")).toBeVisible();
    await page.unroute("**/api/health/live");
    await tryAgain.click();
    await expect(page.getByRole("heading", { name: "Team" })).toBeVisible();
  });
});

test("a draft survives going offline @main", async ({ page, context, partner, visit }) => {
  await partner.register({ url });
  await visit("admin", "sandbox/webhooks?edit=pix_in");
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(`${url}/draft`);
  await context.setOffline(true);
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
  const reported = sheet.getByRole("alert").filter({ hasText: /^Not sent/ });
  await expect(reported).toContainText("Your browser is offline, so nothing was sent.");
  await expect(sheet.getByText("No clear answer, not shown yet")).toHaveCount(0);
  await expect(sheet.getByLabel("Callback URL")).toHaveValue(`${url}/draft`);
  await context.setOffline(false);
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url },
    { type: "pix_out", callback_url: url },
  ]);
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
});

test("an action that was not sent for want of a network is not called doubtful", async ({
  page,
  context,
  visit,
}) => {
  await visit("admin", "sandbox/connection");
  const id = page.getByLabel("Client ID", { exact: true });
  // Answers only once the page is alive: until then, it may take the selection from the field.
  await page.getByRole("button", { name: "Check connection" }).click();
  await expect(page.getByRole("status").filter({ hasText: /./ }).first()).toBeVisible();
  await id.fill("another-client");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Check and save" }).click();
  const unsent = "Your browser is offline, so nothing was sent.";
  await expect(page.getByRole("alert").filter({ hasText: "Not saved." })).toContainText(unsent);
  await page.getByRole("button", { name: "Check connection" }).click();
  await expect(page.getByRole("status").filter({ hasText: unsent })).toBeVisible();
  await expect(page.getByText(/not know/)).toHaveCount(0);
  await expect(id).toHaveValue("another-client");
});

test("the banner of a signed-out person says so, and does not promise to keep trying", async ({
  page,
  context,
  partner,
  visit,
}) => {
  await partner.register({ url });
  await visit("admin", "sandbox/webhooks");
  const refresh = page.getByRole("button", { name: "Refresh" });
  const read = page.waitForResponse(/\/webhooks$/);
  await refresh.click();
  await read;
  await context.clearCookies();
  await refresh.click();
  await expect(page.getByText("You are signed out.")).toBeVisible();
  await expect(page.getByText("Sign in again to see what is registered now.")).toBeVisible();
  await expect(page.getByText("keeps trying")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
});

lookTest(
  "the page offline, the form that did not load, and a save that was not sent @look",
  async ({ page, context, partner, visit }) => {
    await partner.register({ url });
    await visit("admin", "sandbox/webhooks");
    // First of all: a pointer that has been used moves on the next page as well, and the form is fetched at once.
    await page.route(scripts, (route) => route.abort("internetdisconnected"));
    await page.getByRole("button", { name: /^(Edit|Editar) Pix in$/ }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await inspect(page, "offline-not-loaded");
    await page.unroute(scripts);
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await context.setOffline(true);
    const offline = /(You are offline|Você está sem conexão)\./;
    await expect(page.getByRole("alert").filter({ hasText: offline })).toBeVisible();
    await inspect(page, "offline");
    await context.setOffline(false);
    await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
    const sheet = page.getByRole("dialog");
    await sheet.getByLabel(/Callback URL|URL de callback/).fill(`${url}/draft`);
    await context.setOffline(true);
    await sheet.getByRole("button", { name: /^(Overwrite|Sobrescrever)/ }).click();
    await expect(sheet.getByText(/browser is offline|navegador está sem conexão/)).toBeVisible();
    await inspect(page, "offline-unsent");
    await context.setOffline(false);
  },
);
