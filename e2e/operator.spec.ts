import { canary } from "@/e2e/canaries/canary";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { expect, test } from "@/e2e/fixtures/test";
import { invitationToken } from "@/lib/team/testing/invitation-token";
import { randomBytes } from "node:crypto";

const newPassword = canary("password", "a river between two hills");
const unique = () => randomBytes(4).toString("hex");

test("an operator creates a partner and invites its first admin, for whom it is gone while it is suspended @main", async ({
  page,
  staff,
  signIn,
  elsewhere,
}) => {
  const word = unique();
  await signIn(await staff("operator"));
  await page.goto("/partners");
  const [title, action] = [
    await page.getByRole("heading", { name: "Partners", level: 1 }).boundingBox(),
    await page.getByRole("button", { name: "New partner" }).boundingBox(),
  ];
  expect(action?.y, "beside the title").toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
  await page.getByRole("button", { name: "New partner" }).click();
  const sheet = page.getByRole("dialog", { name: "New partner" });
  await sheet.getByLabel("Name").fill(`Padaria ${word}`);
  await expect(sheet.getByLabel("ID", { exact: true })).toHaveValue(`padaria-${word}`);
  await sheet.getByRole("button", { name: "Create partner" }).click();
  await expect(page.getByRole("status").filter({ hasText: "was created" })).toBeVisible();

  await page.getByRole("button", { name: "Invite its first admin" }).click();
  await page.getByRole("dialog").getByLabel("Email").fill(`ana@padaria-${word}.example`);
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  const link = `/invitation#${await invitationToken(`ana@padaria-${word}.example`)}`;

  const guest = await elsewhere();
  await guest.goto(link);
  await guest.getByLabel("Name").fill("Ana Admin");
  await guest.getByLabel("Password").fill(newPassword);
  await guest.getByRole("button", { name: "Join and sign in" }).click();
  await expect(guest).toHaveURL(new RegExp(`/partners/padaria-${word}/`));

  await page.getByLabel("Search by name, ID or host").fill(word);
  await page.getByRole("button", { name: `Manage Padaria ${word}` }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(`Confeitaria ${word}`);
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: `Confeitaria ${word}` })).toBeVisible();

  const act = async (what: "Suspend" | "Resume") => {
    await page.goto(`/partners?search=${word}`);
    await page.getByRole("button", { name: `Manage Confeitaria ${word}` }).click();
    await page.getByRole("menuitem", { name: what }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: what }).click();
    await expect(page.getByRole("status").filter({ hasText: `Confeitaria ${word}` })).toBeVisible();
  };
  const team = `/partners/padaria-${word}/team`;
  await act("Suspend");
  expect((await guest.goto(team))?.status()).toBe(404);
  await guest.goto("/");
  await expect(guest.getByRole("heading", { name: "No partner yet" })).toBeVisible();
  await act("Resume");
  await guest.goto(team);
  await expect(guest, "still signed in").toHaveURL(team);
});

test("an operator adds staff, who sign in by single sign-on, and removes their access", async ({
  page,
  staff,
  signIn,
  elsewhere,
}) => {
  const email = `sol-${unique()}@gancho.example`;
  await signIn(await staff("operator"));
  await page.goto("/partners");
  await page.getByRole("link", { name: "Installation" }).click();
  // What there is depends on the partners of other tests.
  await expect(page.getByRole("region", { name: /^(All well\.|To fix)$/ })).toBeVisible();
  await page.getByRole("button", { name: "Add staff" }).click();
  const sheet = page.getByRole("dialog", { name: "Add staff" });
  await sheet.getByLabel("Name").fill("Sol Nova");
  await sheet.getByLabel("Email").fill(email);
  await sheet.getByRole("button", { name: "Add", exact: true }).click();
  // A link that the operator could use would let them act in another person's name.
  await expect(sheet.getByRole("status")).toContainText(`Tell ${email} to sign in`);
  await page.getByRole("button", { name: "Done" }).click();
  const line = page.getByRole("row").filter({ hasText: email });
  await expect(line).toContainText("Not signed in yet");

  const guest = await elsewhere();
  await guest.goto("/sign-in");
  await guest.waitForLoadState();
  await guest.getByRole("button", { name: "Continue with Example ID" }).click();
  const claims = { sub: email, email, email_verified: true, groups: ["gancho-support"] };
  await guest.getByLabel("Claims").fill(JSON.stringify(claims));
  await guest.getByRole("button", { name: "Continue" }).click();
  await expect(guest).toHaveURL(/\/partners(\?environment=[a-z]+)?$/);

  await page.reload();
  await expect(line).toContainText("Active");
  await page.getByRole("button", { name: "Manage Sol Nova" }).last().click();
  await page.getByRole("menuitem", { name: "Remove access" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove access" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Sol Nova" }).first()).toContainText(
    "No access",
  );
  await guest.goto("/partners");
  await expect(guest).toHaveURL(/sign-in/);

  await page.getByRole("link", { name: "People’s activity" }).click();
  await page.getByLabel("Person").selectOption("Sol Nova");
  const entries = page.getByRole("list", { name: "Entries, newest first" }).getByRole("listitem");
  for (const [index, said] of [
    "Access of Sol Nova removed",
    "Signed in with single sign-on",
    "Single sign-on account of Sol Nova linked",
    "Sol Nova added to the staff: Support",
  ].entries())
    await expect(entries.nth(index)).toContainText(said);
});

lookTest("the screens of operators @look", async ({ page, partner, staff, signIn }) => {
  await signIn(await staff("operator"));
  await page.goto(`/partners?search=${encodeURIComponent(partner.name)}`);
  await expect(page.getByRole("table")).toBeVisible();
  await inspect(page, "partners-operator");
  await page.getByRole("button", { name: /^(New partner|Novo parceiro)$/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await inspect(page, "partners-new");
  await page.goto("/installation");
  await expect(page.getByRole("table")).toHaveCount(2);
  await inspect(page, "installation");
  await page.getByRole("link", { name: /^(People’s activity|Atividade das pessoas)$/ }).click();
  await expect(page.getByText(/Integrity verified|ntegridade verificada/)).toBeVisible();
  await inspect(page, "activity");
});
