import { canary } from "@/e2e/canaries/canary";
import { expect, test } from "@/e2e/fixtures/test";

const url = "https://hooks.loja.example/pix";
const theirs = "https://hooks.loja-pagamentos.example/pix";

test("an admin brings an incident to its end: restores the address with a new secret for both types, replaces the credentials, and writes a note", async ({
  page,
  partner,
  visit,
  refreshUntil,
}) => {
  const authorization = `Bearer ${canary("authorization", "exposed")}`;
  await partner.register({ url, authorization });
  await visit("admin", "sandbox/webhooks");
  await expect(page.getByRole("region", { name: "Pix out" })).toContainText(url);
  await partner.service.register({ url: theirs, type: "pix_out", authorization });
  const restore = page.getByRole("button", { name: "Restore both" });
  await refreshUntil(restore);
  await expect(page.getByRole("group", { name: "Pix in and Pix out use the" })).toBeVisible();

  await restore.click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await expect(sheet.getByLabel("Callback URL")).toHaveValue(url);
  await expect(sheet.getByRole("radio", { name: "Replace it" })).toBeChecked();
  await sheet.getByRole("button", { name: "Generate" }).click();
  await expect(sheet.getByRole("group", { name: "Environment line" })).toContainText("_NEXT=");
  await sheet.getByRole("button", { name: "Overwrite Pix in and Pix out" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await refreshUntil(page.getByRole("group", { name: "Pix out: recovering, 2 of 4 steps done" }));

  await page.getByRole("link", { name: "New API credentials" }).click();
  // Nothing to press before: the step says what there is to do.
  await expect(page.getByLabel("Client secret")).toBeFocused();
  await page.keyboard.type(partner.credentials.next_secret);
  await page.getByRole("button", { name: "Check and save" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  expect(new URL(page.url()).search, "a reload asks for no other secret").toBe("");

  await page.getByRole("link", { name: "See the webhooks" }).click();
  await page.getByLabel("Note for the history").fill("The secret was in a public repository.");
  await page.getByRole("button", { name: "Close the incident" }).click();
  await expect(page.getByRole("region", { name: "All well." })).toBeVisible();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url },
    { type: "pix_out", callback_url: url },
  ]);
});
