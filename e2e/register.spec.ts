import { canary } from "@/e2e/canaries/canary";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { expect, test } from "@/e2e/fixtures/test";
import type { Locator, Page } from "@playwright/test";

const url = "https://hooks.loja.example/pix/in";

/** Pastes as a person does: through the clipboard and with the keyboard. */
async function paste(page: Page, field: Locator, text: string) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await field.focus();
  await page.keyboard.press("Control+V");
}

test.beforeEach(async ({ context, visit }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit("admin", "sandbox/webhooks?register=pix_in");
});

test("an address pasted over two lines is offered joined, not with a space in it", async ({
  page,
}) => {
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  const field = sheet.getByLabel("Callback URL");
  await paste(page, field, "https://hooks.loja.example/pix\r\n   /in");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(sheet).toContainText("The address must be on one line");
  await expect(sheet).toContainText("left out of the suggestion: line break.");
  await sheet.getByRole("button", { name: `Use ${url}` }).click();
  await expect(field).toHaveValue(url);
  await expect(field).not.toHaveAttribute("aria-invalid");
});

test("a line break in an Authorization value is an error, not a space", async ({
  page,
  partner,
}) => {
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  await sheet.getByLabel("Callback URL").fill(url);
  const field = sheet.getByLabel("Authorization value");
  const value = `Bearer ${canary("authorization", "lines")}`;
  await paste(page, field, value.replace("-lines", "-\nlines"));
  await expect(sheet).toContainText("the value cannot contain a line break or a tab");
  await expect(sheet).toContainText("Found in what you entered: line break.");
  await expect(sheet.getByRole("button", { name: /^Use (https|Bearer)/ })).toHaveCount(0);
  await sheet.getByRole("button", { name: /^Register/ }).click();
  await expect(field).toBeFocused();
  expect(await partner.service.list()).toEqual([]);

  await field.fill("");
  await paste(page, field, `\n${value}\n`);
  await sheet.getByRole("button", { name: `Use ${value}` }).click();
  await field.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  expect(await partner.service.list()).toMatchObject([{ auth_header: value }]);
});

test("a placeholder and a mask are refused by name, in the address and as the value", async ({
  page,
  partner,
}) => {
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  const field = sheet.getByLabel("Callback URL");
  await field.fill("https://hooks.loja.example/{merchant_id}/pix");
  const value = sheet.getByLabel("Authorization value");
  await value.fill("Bearer {TOKEN}");
  await sheet.getByRole("button", { name: /^Register/ }).click();
  await expect(field).toBeFocused();
  await expect(sheet).toContainText("This contains a placeholder. Enter the address itself.");
  await expect(sheet).toContainText("Found in what you entered: placeholder {merchant_id}.");
  await expect(sheet).toContainText("This is a placeholder, not the value itself.");
  await expect(sheet).toContainText("Found in what you entered: placeholder {TOKEN}.");
  await expect(sheet.getByRole("button", { name: /^Use (https|Bearer)/ })).toHaveCount(0);
  await value.fill("Bearer ****1234");
  await expect(sheet).toContainText("This is a mask, not the value itself.");
  await field.fill("https://a.example/hook https://b.example/x");
  await expect(sheet).toContainText("These are two addresses. Enter one.");
  await inspect(page, "register-refused");
  expect(await partner.service.list()).toEqual([]);
});

test("a value that is probably a mistake takes a second press, and what was probably meant is offered", async ({
  page,
  partner,
}) => {
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  await sheet.getByLabel("Callback URL").fill(url);
  const value = sheet.getByLabel("Authorization value");
  const meant = `Bearer ${canary("authorization", "twice")}`;
  await value.fill(`Bearer ${meant}`);
  await expect(sheet).toContainText("The value has two schemes.");
  const submit = sheet.getByRole("button", { name: /^Register/ });
  await submit.click();
  const question = sheet.getByRole("alert");
  await expect(question).toContainText("Save this value as it is?");
  await inspect(page, "register-doubtful");
  expect(await partner.service.list()).toEqual([]);
  await sheet.getByRole("button", { name: `Use ${meant}`, exact: true }).click();
  await expect(question).toHaveCount(0);
  await value.fill(`Bearer ${meant}`);
  // The same question, which the person has read.
  await submit.click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  expect(await partner.service.list()).toMatchObject([{ auth_header: `Bearer ${meant}` }]);
});

test("a value with dashes and spaces of a phone's keyboard is offered with the plain ones", async ({
  page,
}) => {
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  const value = sheet.getByLabel("Authorization value");
  await paste(page, value, "“Bearer\u00a08f2k–m3v”");
  await expect(sheet).toContainText(
    "left out of the suggestion: curly quotation mark, no-break space, and dash that is not a hyphen.",
  );
  await sheet.getByRole("button", { name: "Use Bearer 8f2k-m3v" }).click();
  await expect(value).toHaveValue("Bearer 8f2k-m3v");
  await expect(value).not.toHaveAttribute("aria-invalid");
});

test("a value is recommended, and registering without one takes a second press @main", async ({
  page,
  partner,
}) => {
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  const group = sheet.getByRole("radiogroup", { name: "Authorization header" });
  await expect(group.getByText("Set a value (recommended)")).toBeVisible();
  await expect(group.getByRole("radio", { name: "Replace it" })).toBeChecked();
  await expect(group.getByRole("radio", { name: "Keep the current value" })).toHaveCount(0);
  await sheet.getByLabel("Callback URL").fill(url);
  await group.getByRole("radio", { name: "No Authorization" }).check();
  const submit = sheet.getByRole("button", { name: /^Register/ });
  // A double press is one answer.
  await submit.dblclick();
  await expect(sheet.getByRole("alert")).toContainText("Register without Authorization?");
  await expect(submit).toHaveText("Register Pix in without Authorization");
  expect(await partner.service.list()).toEqual([]);
  await submit.click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  expect(await partner.service.list()).toMatchObject([{ type: "pix_in", callback_url: url }]);
});

lookTest(
  "the register sheet, with the pasted text and the confirmation @look",
  async ({ page }) => {
    const sheet = page.getByRole("dialog");
    const field = sheet.getByLabel(/Callback URL|URL de callback/);
    await expect(field).toBeVisible();
    await inspect(page, "register");
    await paste(page, field, "https://hooks.loja.example/pix\n/in\u200b");
    await inspect(page, "register-pasted");
    await sheet.getByRole("button", { name: /^(Use|Usar) https/ }).click();
    await sheet.getByRole("button", { name: /^(Register|Cadastrar)/ }).click();
    await expect(sheet.getByRole("alert")).toBeVisible();
    await inspect(page, "register-asked");
  },
);
