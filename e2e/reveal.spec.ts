import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import type { Locator, Page } from "@playwright/test";
import { inspect } from "@/e2e/fixtures/inspect";
import { password, type E2ePartner } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";
import { canary } from "@/e2e/canaries/canary";

// No trace: it would keep what is on the page, also after the value has gone from there.
test.use({ trace: "off", expectedNoise: [/status of (401|403|422|429|502)|ERR_FAILED/] });

const url = "https://hooks.lojaaurora.com.br/pix";
const held = `Bearer ${canary("authorization", "revealed")}`;

async function openPage(page: Page, partner: E2ePartner): Promise<void> {
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await expect(page.getByRole("region", { name: "Pix in" })).toBeVisible();
}

/** Everything in the page, and what its scripts store elsewhere. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      document.documentElement.outerHTML +
      JSON.stringify([localStorage, sessionStorage, history.state]),
  );

/** Every other outcome: announced, and the proof of identity still counts. */
async function tryFailures(page: Page, dialog: Locator, first: () => Promise<void>): Promise<void> {
  const failures: [ClientProblem["code"] | null, number, string][] = [
    ["too_many_requests", 429, "Try again in 40 seconds.Request ID q"],
    ["reveal_limit", 429, "You have revealed ten values within an hour"],
    ["connection_refused", 502, "The payment service refused the connection."],
    ["signed_out", 401, "You are signed out."],
    [null, 0, "No answer came back."],
  ];
  let press = first;
  for (const [code, status, said] of failures) {
    await page.route("**/reveal", (route) =>
      code === null
        ? route.abort()
        : route.fulfill({ status, json: { code, status, requestId: "q", retryAfter: 40 } }),
    );
    await press();
    await expect(dialog.getByRole("alert")).toContainText(said);
    await expect(dialog.getByRole("link", { name: "Sign in again" })).toBeVisible({
      visible: code === "signed_out",
    });
    await page.unroute("**/reveal");
    press = () => dialog.getByRole("button", { name: "Reveal" }).press("Enter");
  }
}

test("an admin reveals a value by the keyboard, after a step-up; the history records it, the page forgets it @main", async ({
  page,
  partner,
  signIn,
}) => {
  await partner.service.register({ url, authorization: held });
  await signIn(await partner.person("admin"));
  await openPage(page, partner);
  await page.clock.install();
  expect(await textOf(page)).not.toContain("Canary");

  const opener = page.getByRole("region", { name: "Pix in" }).getByRole("button", {
    name: "Reveal",
  });
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Reveal the Authorization of Pix in" });
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await page.keyboard.type("not my password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Password")).toHaveAccessibleDescription(/Incorrect password/);
  await inspect(page, "reveal-ask");
  await tryFailures(page, dialog, async () => {
    await expect(dialog.getByLabel("Password")).toBeFocused();
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
  });
  await dialog.getByRole("button", { name: "Reveal" }).press("Enter");

  const value = dialog.getByRole("textbox", { name: "Authorization value of Pix in" });
  await expect(value).toHaveText(held);
  await expect(value).toBeFocused();
  await expect(value).toHaveAccessibleDescription(/up to 60 seconds/);
  await inspect(page, "reveal-shown");
  await page.clock.fastForward(60_500);
  await expect(dialog.getByText("The value is hidden again.")).toBeFocused();
  expect(await textOf(page)).not.toContain("Canary");

  await dialog.getByRole("button", { name: "Reveal again" }).press("Enter");
  await expect(value).toHaveText(held);
  // The browser sends this when it puts the page into its back/forward cache.
  await page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })),
  );
  expect(await textOf(page)).not.toContain("Canary");
  await expect(opener).toBeFocused();

  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Reveal" }).press("Enter");
  await expect(value).toHaveText(held);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  expect(await textOf(page)).not.toContain("Canary");
  await page.getByRole("link", { name: "History", exact: true }).click();
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeVisible();
  const entries = page.getByRole("listitem");
  await expect(entries.filter({ hasText: "Authorization of Pix in revealed" })).toHaveCount(3);
  await inspect(page, "reveal-history");
  await page.goBack();
  await expect(opener).toBeVisible();
  expect(await textOf(page)).not.toContain("Canary");
});
