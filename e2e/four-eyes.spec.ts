import { update } from "@/lib/platform/database/testing/rows";
import { inspect, look } from "@/e2e/fixtures/inspect";
import { createPartner, password } from "@/e2e/fixtures/partner";
import { userIdOf } from "@/e2e/fixtures/signed-in";
import { expect, pressEscape, test } from "@/e2e/fixtures/test";

// The browser logs a step-up's 403 as an error.
test.use({ expectedNoise: [/status of 403/] });

const url = "https://hooks.lojaaurora.com.br/pix";
const moved = "https://pix.lojaaurora.com.br/notices";

test("a changed production address waits for a second person, who approves it @main", async ({
  page,
  partner,
  signIn,
}) => {
  await partner.register({ url, authorization: "Bearer e2e-only" });
  const [editor, admin] = [await partner.person("editor"), await partner.person("admin")];

  await signIn(admin);
  await page.goto(`/partners/${partner.id}/team`);
  const section = page.getByRole("region", { name: "Four-eyes approval" });
  await expect(section.getByRole("button", { name: "Switch on" })).toBeDisabled();
  await expect(section.getByText("Two admins are needed")).toBeVisible();
  await partner.person("admin");
  await page.reload();
  await section.getByRole("button", { name: "Switch on" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Switch on" }).click();
  await expect(page.getByRole("status")).toContainText("Four-eyes approval is on.");
  await expect(section.getByText("Switched on by Ana Admin")).toBeVisible();
  await inspect(page, "four-eyes-team");

  await signIn(editor);
  await page.goto(`/partners/${partner.id}/production/webhooks`);
  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(moved);
  // Without a value, an editor cannot move the address: the current value would be sent there.
  await sheet.getByLabel("Replace it").check();
  await sheet.getByLabel("Authorization value").fill("Bearer e2e-proposed-4f1c9a7e25d8");
  await expect(sheet.getByText("A second person has to approve this.")).toBeVisible();
  await sheet.getByLabel("Note for whoever approves (optional)").fill("New gateway, ticket 48211");
  await inspect(page, "four-eyes-sheet");
  await sheet.getByRole("button", { name: "Send for approval" }).click();
  await expect(page.getByRole("status")).toContainText(/^Waiting for approval/);
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("New gateway, ticket 48211");
  await attention.getByRole("link", { name: "Open in Approvals" }).click();
  const waiting = page.getByRole("region", { name: "Waiting for approval by a second person" });
  await expect(
    waiting.getByRole("button", { name: "Withdraw the change to Pix in" }),
  ).toBeVisible();
  await expect(
    waiting.getByText(/somebody else has to approve it\..* Ana Admin \(admin-.+\) can/),
  ).toBeVisible();
  await expect(waiting.getByRole("button", { name: "Approve the change to Pix in" })).toBeHidden();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url },
    { type: "pix_out", callback_url: url },
  ]);

  await signIn(admin);
  await page.goto(`/partners/${partner.id}/production/approvals`);
  // The step-up of some minutes ago has expired.
  await update("sessions", { reauthenticated_at: null }, { user_id: await userIdOf(admin) });
  await waiting.getByRole("button", { name: "Approve the change to Pix in" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Approve the change to Pix in?" });
  const change = dialog.getByRole("region", { name: "Pix in" });
  for (const part of ["Before", new URL(url).host, url, "After", new URL(moved).host, moved])
    await expect(change.getByText(part, { exact: true })).toBeVisible();
  await expect(change.getByText("Replaced with a value that Edu Editor typed.")).toBeVisible();
  // Before the button that needs it.
  await expect(dialog.getByRole("textbox", { name: "Password" })).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(dialog).not.toContainText("passkey");
  await expect(dialog).toContainText("Nothing has been sent to the payment service yet.");
  await expect(page.getByText(/Saving|reading back/)).toHaveCount(0);
  await expect(change.getByText(moved, { exact: true })).toBeVisible();
  await inspect(page, "four-eyes-step-up");
  await page.keyboard.type(password);
  await dialog.getByRole("button", { name: "Approve and save" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  const card = page.getByRole("region", { name: "Pix in" });
  await expect(card.getByText(moved)).toBeVisible();
  await expect(card.getByText(/Edu Editor asked for it, Ana Admin .*approved/)).toBeVisible();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: moved },
    { type: "pix_out", callback_url: url },
  ]);
  await page.getByRole("link", { name: "History", exact: true }).click();
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeVisible();
  const shown = page
    .getByRole("listitem")
    .filter({ hasText: "The payment service shows the change to Pix in" });
  await expect(shown).toContainText(
    /Edu Editor proposed it, and Ana Admin \(admin-.+\) approved it\./,
  );
});

test("a note to whoever approves counts as unsaved, also where nothing else was typed", async ({
  page,
  partner,
  visit,
  refreshUntil,
}) => {
  await partner.register({ url });
  await partner.person("admin");
  await partner.fourEyes();
  await visit("admin", "production/webhooks");
  await expect(page.getByRole("region", { name: "Pix in", exact: true })).toContainText(url);
  await partner.service.register({ url: moved });
  const restore = page.getByRole("button", { name: "Restore both" });
  await refreshUntil(restore);
  await restore.click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  const note = sheet.getByLabel("Note for whoever approves (optional)");
  await note.fill("Not our host");
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard what you entered?" });
  await expect(question.getByRole("button").first()).toBeFocused();
  // Neither does Escape discard it.
  await pressEscape(question);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(note).toHaveValue("Not our host");
});

test("removing a production value takes a second press that names it, and a second person where four-eyes is on", async ({
  page,
  partner,
  signIn,
}) => {
  const value = "Bearer e2e-only";
  await partner.register({ url, authorization: value });
  await signIn(await partner.person("editor"));
  const path = `/partners/${partner.id}/production/webhooks`;
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  const question = sheet.getByRole("alert").filter({ hasText: "Save without Authorization?" });
  async function remove(type: "Pix in" | "Pix out") {
    await page.getByRole("button", { name: `Edit ${type}` }).click();
    await sheet.getByLabel("Remove it").check();
  }

  await page.goto(path);
  await remove("Pix in");
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
  await expect(question).toBeVisible();
  await inspect(page, "remove-asked");
  expect(await partner.service.list()).toMatchObject([
    { auth_header: value },
    { auth_header: value },
  ]);
  await sheet.getByRole("button", { name: "Save without Authorization" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  const [changed] = await partner.service.list();
  expect(changed).not.toHaveProperty("auth_header");

  await partner.fourEyes();
  await page.reload();
  await remove("Pix out");
  await expect(sheet.getByText("A second person has to approve this.")).toBeVisible();
  await sheet.getByRole("button", { name: "Send for approval" }).click();
  await expect(question).toBeVisible();
  await sheet.getByRole("button", { name: "Send for approval without Authorization" }).click();
  await expect(page.getByRole("status")).toContainText(/^Waiting for approval/);
  await page.getByRole("link", { name: "Open in Approvals" }).click();
  const proposed = page.getByRole("region", { name: "Waiting for approval by a second person" });
  await expect(proposed).toContainText("The current value is removed");
  await inspect(page, "remove-proposed");
  expect((await partner.service.list())[1]).toMatchObject({ auth_header: value });
});

test("the author of a rejected change reads by whom and why, until they dismiss it", async ({
  page,
  partner,
  signIn,
  call,
}) => {
  await partner.register({ url });
  await partner.fourEyes();
  const [editor, admin] = [await partner.person("editor"), await partner.person("admin")];
  // Of the same name, so that the notice says which.
  await partner.person("admin");
  const path = `/partners/${partner.id}/production/webhooks`;
  await signIn(editor);
  const { revision } = await (await page.request.get(`/api${path}`)).json();
  const body = { type: "pix_in", url: moved, revision, authorization: { action: "remove" } };
  expect((await call("POST", "production/webhooks", body)).status()).toBe(202);

  await signIn(admin);
  await page.goto(`/partners/${partner.id}/production/approvals`);
  await page.getByRole("button", { name: "Reject the change to Pix in" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject the change to Pix in?" });
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect(dialog.getByText("Give a reason")).toBeVisible();
  await dialog.getByLabel("Reason").fill("That host is not ours");
  await inspect(page, "four-eyes-reject");
  await dialog.getByRole("button", { name: "Reject" }).click();
  const rejected = page.getByRole("status").filter({ hasText: "The proposed change was rejected" });
  await expect(rejected).toBeVisible();

  await signIn(editor);
  await page.goto(`/partners/${partner.id}/production/approvals`);
  const ended = page.getByRole("region", { name: "Decisions on your proposals" });
  await expect(
    ended.getByText(/Ana Admin \(admin-.+\) rejected your change to Pix in/),
  ).toBeVisible();
  await expect(ended.getByText("That host is not ours")).toBeVisible();
  await inspect(page, "four-eyes-ended");
  await ended.getByRole("button", { name: "Dismiss the notice about Pix in" }).click();
  await expect(ended).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();
  await expect(
    page.getByRole("status").filter({ hasText: "The notice is dismissed." }),
  ).toBeAttached();
  await page.reload();
  await expect(page.getByText("Nothing waits for approval")).toBeVisible();
  await expect(ended).toBeHidden();
  await page.goto(`/partners/${partner.id}/production/history`);
  await expect(page.getByText("Reason given: That host is not ours")).toBeVisible();
});

test("credentials, which are tried before they wait, are not said to be unsent", async ({
  page,
  partner,
  signIn,
  call,
}) => {
  await partner.fourEyes();
  const [author, admin] = [await partner.person("admin"), await partner.person("admin")];
  const { credentials } = await createPartner();
  const clientId = credentials.client_id;
  const path = `/partners/${partner.id}/production`;
  const propose = async (version: number, clientSecret: string) => {
    const data = { clientId, clientSecret, version };
    expect((await call("PUT", "production/connection", data)).status()).toBe(202);
  };
  const unsent = /(Nothing|None of this) (was|has been) sent/;
  await signIn(author);
  await propose(1, credentials.client_secret);

  await signIn(admin);
  await page.goto(`${path}/connection`);
  await page.getByRole("button", { name: "Approve the new credentials" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve the new credentials?" });
  const approve = dialog.getByRole("button", { name: "Approve and use them" });
  await expect(approve).toBeVisible();
  // It expires while the dialog is open.
  await update("sessions", { reauthenticated_at: null }, { user_id: await userIdOf(admin) });
  await approve.click();
  await dialog.getByLabel("Password").fill(password);
  await expect(dialog).toContainText("Until you confirm, the current credentials stay in use.");
  await expect(dialog).not.toContainText(unsent);
  await approve.click();
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  // What was approved is no edit of the approver's.
  await expect(page.getByLabel("Client ID", { exact: true })).toHaveValue(clientId);
  await expect(page.getByRole("button", { name: "Discard changes" })).toHaveCount(0);

  await signIn(author);
  await propose(2, credentials.next_secret);
  await signIn(admin);
  await page.goto(`${path}/connection`);
  await page.getByRole("button", { name: "Reject the new credentials" }).click();
  const question = page.getByRole("dialog", { name: "Reject the new credentials?" });
  await question.getByLabel("Reason").fill("Not ordered by us");
  await question.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByRole("status").filter({ hasText: "were rejected" })).toBeVisible();

  await signIn(author);
  await page.goto(`${path}/approvals`);
  const ended = page.getByRole("region", { name: "Decisions on your proposals" });
  await expect(ended).toContainText("They came into use.");
  await expect(ended).toContainText("They did not come into use.");
  await expect(ended).not.toContainText(unsent);
});

test(
  "waiting proposals are accessible, also once they are out of date",
  { tag: "@look" },
  async ({ page, partner, signIn, call, browser, baseURL }) => {
    await partner.register({ url });
    await partner.fourEyes();
    const [editor, admin] = [await partner.person("editor"), await partner.person("admin")];
    const author = await partner.person("admin");
    const path = `/partners/${partner.id}/production/webhooks`;
    await signIn(editor);
    const { revision } = await (await page.request.get(`/api${path}`)).json();
    const body = { type: "both", url: moved, revision, authorization: { action: "keep" } };
    expect((await call("POST", "production/webhooks", body)).status()).toBe(202);
    await signIn(author);
    const credentials = {
      clientId: partner.credentials.client_id,
      clientSecret: partner.credentials.next_secret,
      version: 1,
      reason: "Yearly rotation",
    };
    expect((await call("PUT", "production/connection", credentials)).status()).toBe(202);

    const context = await browser.newContext({ ...look, baseURL: baseURL ?? "" });
    await signIn(admin);
    await context.addCookies(await page.context().cookies());
    const other = await context.newPage();
    await other.goto(path.replace("webhooks", "approvals"));
    const reject = other.getByRole("button", {
      name: /Reject the change to|Rejeitar a alteração de/,
    });
    const approve = other.getByRole("button", {
      name: /Approve the change to|Aprovar a alteração de/,
    });
    // One proposal, one decision, though it is about two types.
    await expect(reject).toHaveCount(1);
    await inspect(other, "four-eyes-approver");
    await approve.click();
    await expect(other.getByRole("dialog").getByRole("region")).toHaveCount(2);
    await inspect(other, "four-eyes-approve-both");
    await other.goto(`/partners/${partner.id}/production/connection`);
    const ok = /Approve the new credentials|Aprovar as novas credenciais/;
    await inspect(other, "credentials-waiting");
    await other.getByRole("button", { name: ok }).click();
    await expect(other.getByRole("dialog")).toBeVisible();
    await inspect(other, "credentials-approve");
    await other.goto(`/partners/${partner.id}/team`);
    const title = /Four-eyes approval|Dupla aprovação/;
    await expect(other.getByRole("region", { name: title })).toBeVisible();
    await inspect(other, "four-eyes-on");
    // A proposal that can no longer be approved.
    await partner.service.register({ url: `${url}/else`, type: "pix_out" });
    await other.goto(path.replace("webhooks", "approvals"));
    await expect(reject).toHaveCount(1);
    await expect(approve).toHaveCount(0);
    await inspect(other, "four-eyes-outdated");
    await context.close();
  },
);
