import { inspect, looks } from "./fixtures/inspect";
import { expect, test } from "./fixtures/test";

const url = "https://hooks.lojaaurora.com.br/pix";
const moved = "https://pix.lojaaurora.com.br/notices";

test("a changed production address waits for a second person, who approves it", async ({
  page,
  partner,
  signIn,
}) => {
  await partner.service.register({ url, authorization: "Bearer e2e-only" });
  const [editor, admin] = [await partner.person("editor"), await partner.person("admin")];

  await signIn(admin);
  await page.goto(`/partners/${partner.id}/team`);
  const section = page.getByRole("region", { name: "Four-eyes approval" });
  await section.getByRole("button", { name: "Switch on" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Switch on" }).click();
  await expect(page.getByRole("status")).toContainText("Four-eyes approval is on.");
  await expect(section.getByText("Switched on by Ana Admin")).toBeVisible();
  await inspect(page, "four-eyes-team", "light");

  await signIn(editor);
  await page.goto(`/partners/${partner.id}/production/webhooks`);
  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(moved);
  await sheet.getByLabel("Remove it").check();
  await expect(sheet.getByText("A second person has to approve this.")).toBeVisible();
  await sheet.getByLabel("Note for whoever approves (optional)").fill("New gateway, ticket 48211");
  await inspect(page, "four-eyes-sheet", "light");
  await sheet.getByRole("button", { name: "Send for approval" }).click();
  await expect(page.getByRole("status")).toContainText("Waits for approval by a second person");
  const card = page.getByRole("region", { name: "Pix in" });
  await expect(card.getByRole("button", { name: "Withdraw the change of Pix in" })).toBeVisible();
  await expect(card.getByText(/somebody else has to approve it. Ana Admin can/)).toBeVisible();
  await expect(card.getByRole("button", { name: "Approve the change of Pix in" })).toBeHidden();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url },
    { type: "pix_out", callback_url: url },
  ]);

  await signIn(admin);
  await page.reload();
  await card.getByRole("button", { name: "Approve the change of Pix in" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Approve the change of Pix in?" });
  await dialog.getByRole("button", { name: "Approve and save" }).click();
  await expect(page.getByRole("status")).toContainText("Saved and confirmed");
  await expect(card.getByText(moved)).toBeVisible();
  await expect(card.getByText("Changed by Edu Editor, approved by Ana Admin")).toBeVisible();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: moved },
    { type: "pix_out", callback_url: url },
  ]);
  await page.getByRole("link", { name: "View history" }).click();
  await expect(page.getByText("Proposed by Edu Editor and approved by Ana Admin.")).toBeVisible();
});

test("what waits can be read in both languages, both themes and on a phone, also once it is out of date", async ({
  page,
  partner,
  signIn,
  browser,
  baseURL,
}) => {
  await partner.service.register({ url });
  const [editor, admin] = [await partner.person("editor"), await partner.person("admin")];
  const path = `/partners/${partner.id}/production/webhooks`;
  const ask = (address: string, method: string, data: object) =>
    page.request.fetch(`/api/partners/${partner.id}/${address}`, {
      method,
      data,
      headers: { origin: baseURL ?? "", "x-requested-by": "gancho" },
    });
  await signIn(admin);
  expect((await ask("four-eyes", "PATCH", { on: true })).ok()).toBe(true);
  await signIn(editor);
  const { revision } = await (await page.request.get(`/api${path}`)).json();
  const body = { type: "both", url: moved, revision, authorization: { action: "keep" } };
  expect((await ask("production/webhooks", "POST", body)).status()).toBe(202);

  for (const { name, ...look } of looks) {
    // On a phone, and in the language of the longer words, also what cannot be approved any more.
    const outdated = name === "phone-pt";
    if (outdated) await partner.service.register({ url: `${url}/else`, type: "pix_out" });
    const context = await browser.newContext({ ...look, baseURL: baseURL ?? "" });
    await signIn(admin);
    await context.addCookies(await page.context().cookies());
    const other = await context.newPage();
    await other.goto(path);
    const card = other.getByRole("region", { name: "Pix out" });
    const reject = look.locale === "en" ? "Reject the change of" : "Rejeitar a alteração de";
    const approve = look.locale === "en" ? "Approve the change of" : "Aprovar a alteração de";
    await expect(card.getByRole("button", { name: reject })).toBeVisible();
    await expect(card.getByRole("button", { name: approve })).toBeVisible({ visible: !outdated });
    await inspect(other, outdated ? "four-eyes-outdated" : "four-eyes-approver", name);
    await context.close();
  }
});
