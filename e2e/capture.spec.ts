import { canary } from "@/e2e/canaries/canary";
import { inspect } from "@/e2e/fixtures/inspect";
import { expect, test } from "@/e2e/fixtures/test";
import { readFileSync } from "node:fs";

test("a first notification is received at the dashboard's address, seen as it came, and the address replaced by an own one", async ({
  page,
  partner,
  visit,
}) => {
  // Two saves, three views of a screen, and three pages.
  test.slow();
  const offer = { name: "Use an address of the dashboard for now" };
  await visit("admin", "sandbox/webhooks");
  await page.getByRole("button", offer).click();
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  await sheet.getByRole("button", offer).click();
  await expect(sheet.getByLabel("Callback URL")).toHaveValue(
    /^https:\/\/in\.gancho\.example\/in\/[\w-]{43}$/,
  );
  const value = `Bearer ${canary("authorization", "first")}`;
  await sheet.getByLabel("Authorization value").fill(value);
  await sheet.getByRole("button", { name: /^Register/ }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  const address = page.getByRole("region", { name: "Address of the dashboard for Pix in" });
  await expect(address).toContainText("Nothing has come yet.");

  // As the service sends it, to where the operator's proxy leads its address.
  const [registered] = await partner.service.list();
  const body = '{"event":"collection.paid","id":12345678901234567890,"amount":10.50}';
  const send = () =>
    fetch((process.env["E2E_URL"] ?? "") + new URL(registered?.callback_url ?? "").pathname, {
      method: "POST",
      headers: {
        authorization: registered?.auth_header ?? "",
        "content-type": "application/json",
        "x-signature": "t=1",
      },
      body,
    });
  expect((await send()).status).toBe(204);
  // Without a reload.
  const message = address.getByRole("listitem").first();
  await expect(message).toContainText("exactly the registered value");
  await expect(message).toContainText("collection.paid");
  await message.locator("summary").click();
  const shown = message.getByRole("group", { name: "Body" });
  await expect(shown).toContainText('"id": 12345678901234567890');
  const downloading = page.waitForEvent("download");
  await message.getByRole("button", { name: "Save as a file" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^pix_in-.*\.json$/);
  expect(readFileSync(await file.path(), "utf8")).toBe(body);
  const facts = page.getByRole("region", { name: "What the service does, as seen here" });
  await expect(facts).toContainText("The first message came");
  await expect(facts).toContainText("Seen once since");
  await inspect(page, "capture");

  await address.getByRole("button", { name: "Move to your own address" }).click();
  const moving = page.getByRole("dialog", { name: "Edit webhook" });
  const url = "https://hooks.loja.example/pix";
  await expect(moving.getByLabel("Callback URL")).toHaveValue("");
  await moving.getByLabel("Callback URL").fill(url);
  await expect(moving.getByRole("button", { name: "Check this address" })).toBeVisible();
  await moving.getByRole("button", { name: "Overwrite Pix in" }).click();
  await expect(address).toContainText("Not registered");
  expect(await partner.service.list()).toMatchObject([{ callback_url: url, auth_header: value }]);

  await address.getByRole("button", { name: "Switch off" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Switch off" }).click();
  await expect(address).toHaveCount(0);
  await expect(facts).toBeVisible();
  expect((await send()).status).toBe(404);

  await page.goto(`/partners/${partner.id}/production/webhooks?register=pix_in`);
  await expect(sheet.getByLabel("Callback URL")).toBeFocused();
  await expect(page.getByRole("button", offer)).toHaveCount(0);
});
