import type { Page } from "@playwright/test";
import { canary } from "@/e2e/canaries/canary";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { createPartner } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";

const first = "https://hooks.loja.example/first";
const second = "https://hooks.loja.example/second";
const value = `Bearer ${canary("authorization", "earlier")}`;
const next = `Bearer ${canary("authorization", "earlier-next")}`;

const sheet = (page: Page) => page.getByRole("dialog", { name: "Edit webhook" });

test("an earlier address is restored from the history, with the diff before it is saved; Back from its sheet asks first, then leads to the page, and to where the link was @main", async ({
  page,
  partner,
  visit,
}) => {
  await partner.register({ type: "pix_in", url: first, authorization: value });
  await visit("admin", "sandbox/webhooks");
  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const field = sheet(page).getByLabel("Callback URL");
  const overwrite = sheet(page).getByRole("button", { name: /^Overwrite/ });
  await field.fill(second);
  await overwrite.click();
  await expect(page.getByRole("status")).toContainText(/^Saved/);

  await page.getByRole("link", { name: "History", exact: true }).click();
  const restore = async () => {
    const entry = page
      .getByRole("listitem")
      .filter({ hasText: "The payment service shows the change to Pix in" });
    await entry.getByRole("button", { name: "More for this entry" }).click();
    await page.getByRole("menuitem", { name: "Restore the earlier address" }).click();
    await expect(field).toHaveValue(first);
  };
  await restore();
  await field.fill(`${first}/typed`);
  await page.goBack();
  const question = page.getByRole("alertdialog", { name: "Discard what you entered?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(field).toHaveValue(`${first}/typed`);
  await expect(page).toHaveURL(/\/webhooks\?edit=pix_in&from=entry/);
  await page.goBack();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(sheet(page)).toBeHidden();
  await expect(page).toHaveURL(/\/webhooks$/);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeVisible();

  await page.reload();
  await restore();
  await expect(sheet(page)).toContainText("Restoring an earlier address");
  await expect(sheet(page).getByRole("radio", { name: /^Keep the current value/ })).toBeChecked();
  const diff = sheet(page).getByRole("region", { name: "What will change" });
  await expect(diff).toContainText("Pix in · overwrite");
  await overwrite.click();
  await expect(page.getByRole("status")).toContainText(/^Saved/);
  expect(await partner.service.list()).toMatchObject([{ callback_url: first }]);

  await visit("viewer", "sandbox/history");
  await expect(
    page.getByText("The payment service shows the change to Pix in").first(),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "More for this entry" })).toHaveCount(0);
});

test("a sheet's own address opens it, also again, and closing it leads to the page", async ({
  page,
  partner,
  visit,
}) => {
  await partner.register({ type: "pix_in", url: first });
  await visit("admin", "sandbox/history");
  await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
  await expect(sheet(page)).toBeVisible();
  await page.reload();
  await expect(sheet(page).getByLabel("Callback URL")).toHaveValue(first);
  await sheet(page).getByRole("button", { name: "Cancel" }).click();
  await expect(sheet(page)).toBeHidden();
  await expect(page).toHaveURL(/\/webhooks$/);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeVisible();
});

test("an address is used in another environment, and its value is chosen again", async ({
  page,
  partner,
  visit,
}) => {
  const production = await createPartner();
  await partner.disconnect("production");
  await partner.connect("production", production.credentials);
  await partner.service.register({ type: "pix_in", url: first, authorization: value });
  await visit("admin", "sandbox/webhooks");
  const card = page.getByRole("region", { name: "Pix in", exact: true });
  await card.getByRole("button", { name: "More for Pix in" }).click();
  await page.getByRole("menuitem", { name: "Use this address in Production" }).click();
  const target = page.getByRole("dialog", { name: "Register webhook" });
  await expect(target).toContainText("Using the address from Sandbox");
  await expect(target.getByLabel("Callback URL")).toHaveValue(first);
  await expect(target.getByRole("textbox", { name: "Authorization value" })).toHaveValue("");
  await target.getByRole("textbox", { name: "Authorization value" }).fill(next);
  await target.getByRole("button", { name: "Register Pix in" }).click();
  await expect(page.getByRole("status")).toContainText(/^Saved/);
  expect(await production.service.list()).toMatchObject([
    { type: "pix_in", callback_url: first, auth_header: next },
  ]);
});

lookTest(
  "a sheet that starts from another address is accessible @look",
  async ({ page, partner, signIn }) => {
    await signIn(await partner.person("admin"));
    const here = `/partners/${partner.id}/sandbox`;
    await partner.service.register({ type: "pix_in", url: first, authorization: value });
    await page.goto(`${here}/webhooks?edit=pix_in&from=environment.production`);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel(/Callback URL|URL de callback/)).toHaveValue(first);
    await inspect(page, "take-over");
    await dialog.getByLabel(/Callback URL|URL de callback/).fill(second);
    await dialog.getByRole("textbox", { name: /Authorization value|Valor do/ }).fill(next);
    await dialog.getByRole("button", { name: /^(Overwrite|Sobrescrever)/ }).click();
    await expect(page.getByRole("status")).toContainText(/^(Saved|Salvo)/);

    await page.goto(`${here}/history`);
    await page.getByRole("button", { name: /^(More for|Mais opções)/ }).click();
    const restore = page.getByRole("menuitem", { name: /Restore the|Restaurar o/ });
    await expect(restore).toBeVisible();
    await inspect(page, "history-restore");
    await restore.click();
    await expect(
      dialog.getByRole("textbox", { name: /Authorization value|Valor do/ }),
    ).toBeVisible();
    await inspect(page, "restore");
  },
);
