import { expect, test } from "@/e2e/fixtures/test";
import { canary } from "@/e2e/canaries/canary";

const [first, kept] = [
  `Bearer ${canary("authorization", "first")}`,
  `Bearer ${canary("authorization", "kept")}`,
];

const url = "https://hooks.loja.example/pix";

test.beforeEach(async ({ page, partner, signIn }) => {
  await signIn(await partner.person("admin"));
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
});

test("a partner registers its first webhook for both types, and the service has it", async ({
  page,
  partner,
}) => {
  await page.getByRole("button", { name: "Register webhook" }).click();
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  await sheet.getByRole("radio", { name: "Both" }).check();
  await sheet.getByLabel("Callback URL").fill(url);
  await sheet.getByRole("radio", { name: "Replace it" }).check();
  await sheet.getByLabel("Authorization value").fill(first);
  await sheet.getByRole("button", { name: /^Register/ }).click();

  await expect(page.getByRole("status").filter({ hasText: "Saved and confirmed" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
  await expect(page.getByRole("region", { name: "Pix out" })).toContainText(url);
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url, auth_header: first },
    { type: "pix_out", callback_url: url, auth_header: first },
  ]);
});

test("a partner overwrites one type and keeps its Authorization value", async ({
  page,
  partner,
}) => {
  await partner.service.register({ url, authorization: kept });
  await page.reload();
  await page.getByRole("button", { name: "Edit Pix out" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(`${url}/out`);
  await sheet.getByRole("button", { name: "Overwrite Pix out" }).click();

  await expect(page.getByRole("status").filter({ hasText: "Saved and confirmed" })).toBeVisible();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url, auth_header: kept },
    { type: "pix_out", callback_url: `${url}/out`, auth_header: kept },
  ]);
});

test("saving what is already there says so, and changes nothing", async ({ page, partner }) => {
  await partner.service.register({ url, type: "pix_in" });
  await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByRole("button", { name: /^Overwrite/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "Nothing to change" })).toBeVisible();
});

test.describe("when somebody else was quicker", () => {
  // The browser logs the refusal by itself.
  test.use({ expectedNoise: [/409 \(Conflict\)/] });

  test("a change made by somebody else while the form is open is drawn as a comparison, to take or to write over", async ({
    page,
    partner,
  }) => {
    await partner.service.register({ url });
    await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
    const sheet = page.getByRole("dialog", { name: "Edit webhook" });
    await sheet.getByLabel("Callback URL").fill(`${url}/mine`);
    await partner.service.register({ url: `${url}/theirs` });
    await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();

    for (const side of ["When you opened it", "Yours", "Now"])
      await expect(sheet.getByText(side, { exact: true }).first()).toBeVisible();
    await expect(sheet).toContainText(`${url}/theirs`);
    expect((await partner.service.list())[0]?.callback_url).toBe(`${url}/theirs`);
    await sheet.getByRole("button", { name: "Take theirs" }).click();
    await expect(sheet.getByLabel("Callback URL")).toHaveValue(`${url}/theirs`);

    await sheet.getByLabel("Callback URL").fill(`${url}/mine`);
    await partner.service.register({ url: `${url}/others` });
    await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
    await expect(sheet).toContainText(`${url}/others`);
    await sheet.getByRole("button", { name: "Overwrite an unknown client’s change" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Saved and confirmed" })).toBeVisible();
    expect((await partner.service.list())[0]?.callback_url).toBe(`${url}/mine`);
  });
});

test("an address that breaks the rules is explained at the field, and nothing is sent", async ({
  page,
  partner,
}) => {
  await page.getByRole("button", { name: "Register Pix in" }).click();
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  const field = sheet.getByLabel("Callback URL");
  await field.fill("http://hooks.loja.example/pix");
  await sheet.getByRole("button", { name: /^Register/ }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  expect(await partner.service.list()).toEqual([]);
});
