import type { Page } from "@playwright/test";
import { canary } from "@/e2e/canaries/canary";
import { typeSignIn } from "@/e2e/fixtures/sign-in";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { createPartner } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";
import { readMail } from "@/lib/tools/mail-server";
import { invitationToken } from "@/lib/team/testing/invitation-token";

const newPassword = canary("password", "a river between two hills");

async function invite(page: Page, email: string, role = "Editor"): Promise<string> {
  await page.getByRole("button", { name: "Invite a person" }).click();
  const sheet = page.getByRole("dialog", { name: "Invite a person" });
  await sheet.getByLabel("Email").fill(email);
  await sheet.getByRole("radio", { name: role }).check();
  await sheet.getByRole("button", { name: "Create invitation" }).click();
  await expect(sheet.getByRole("status")).toContainText(email);
  await sheet.getByRole("button", { name: "Done" }).click();
  return `/invitation#${await invitationToken(email)}`;
}

test("an admin invites a person, who chooses a password and joins @main", async ({
  page,
  partner,
  elsewhere,
  visit,
}) => {
  await visit("admin", "team");
  const email = `nova@${partner.id}.example`;
  const link = await invite(page, email);
  await expect(page.getByRole("row", { name: email })).toContainText("Editor");

  const guest = await elsewhere();
  await guest.goto(link);
  await expect(guest.getByRole("heading", { name: `Join ${partner.name}` })).toBeVisible();
  // The token is out of the address, so that it is in no picture of the screen and no history.
  await expect(guest).not.toHaveURL(/#/);
  await guest.getByRole("button", { name: "Join and sign in" }).click();
  await expect(guest.getByLabel("Name")).toBeFocused();
  await guest.getByLabel("Name").fill("Nova Pessoa");
  await guest.getByLabel("Password").fill("short");
  await guest.getByRole("button", { name: "Join and sign in" }).click();
  await expect(guest.getByLabel("Password")).toHaveAttribute("aria-invalid", "true");
  await expect(guest.getByLabel("Password")).toBeFocused();
  await guest.getByLabel("Password").fill(newPassword);
  await guest.getByRole("button", { name: "Join and sign in" }).click();
  await expect(guest).toHaveURL(`/partners/${partner.id}/sandbox/webhooks`);
  await expect(guest.getByRole("button", { name: "Register webhook" })).toBeVisible();

  await page.reload();
  await expect(page.getByRole("row", { name: "Nova Pessoa" })).toContainText(email);

  await guest.goto(link);
  await expect(
    guest.getByRole("heading", { name: "This invitation was already accepted" }),
  ).toBeVisible();
});

test("a person with an account signs in to accept, again where the session has ended since", async ({
  page,
  partner,
  elsewhere,
  visit,
}) => {
  await visit("admin", "team");
  const guest = await elsewhere();
  const email = await (await createPartner()).person("viewer");
  const link = await invite(page, email, "Viewer");

  await guest.goto(link);
  await guest.getByRole("link", { name: "Sign in to accept" }).click();
  const accept = guest.getByRole("button", { name: "Accept" });
  await typeSignIn(guest, email);
  await expect(accept).toBeVisible();
  await guest.context().clearCookies();
  await accept.click();
  await typeSignIn(guest, email);
  await accept.click();
  await expect(guest).toHaveURL(`/partners/${partner.id}/sandbox/webhooks`);
});

test("an admin lowers a person's role, and removes them", async ({ page, partner, visit }) => {
  await partner.person("editor");
  await visit("admin", "team");
  await page.getByRole("button", { name: "Manage Edu Editor" }).click();
  await page.getByRole("menuitem", { name: "Change role" }).click();
  const sheet = page.getByRole("dialog", { name: "Change the role of Edu Editor" });
  await sheet.getByRole("radio", { name: "Viewer" }).check();
  await sheet.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByRole("status").filter({ hasText: "now has the role" })).toBeVisible();

  await page.getByRole("button", { name: "Manage Edu Editor" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("status").filter({ hasText: "no longer part" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Edu Editor" })).toHaveCount(0);
});

test("a member leaves a partner on their account's page, and the only admin is told why they cannot", async ({
  page,
  partner,
  signIn,
  visit,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 404/);
  await signIn(await partner.person("viewer"));
  await page.goto("/account");
  const partners = page.getByRole("region", { name: "Your partners" });
  await partners.getByRole("button", { name: `Leave ${partner.name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await expect(partners.getByRole("status")).toContainText("You are no longer part of");
  await expect(partners.getByRole("listitem")).toHaveCount(0);
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await expect(page.getByRole("heading", { name: "Nothing here" })).toBeVisible();

  await visit("admin", "sandbox/history?show=team");
  await expect(page.getByText("left the team")).toBeVisible();
  await page.goto("/account");
  await expect(partners.getByText("You are the only admin")).toBeVisible();
  await expect(partners.getByRole("button")).toHaveCount(0);
});

test("an address that is wrong is explained at the field", async ({
  page,
  partner,
  visit,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 422/);
  const viewer = await partner.person("viewer");
  await visit("admin", "team");
  let sent = 0;
  page.on("request", (request) => (sent += Number(request.method() === "POST")));
  await page.getByRole("button", { name: "Invite a person" }).click();
  const sheet = page.getByRole("dialog", { name: "Invite a person" });
  const field = sheet.getByLabel("Email");
  for (const [typed, words] of [
    ["nova", "Enter an email address"],
    [viewer, "already on the team"],
  ] as const) {
    await field.fill(typed);
    await sheet.getByRole("button", { name: "Create invitation" }).click();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(typed);
    await expect(sheet).toContainText(words);
  }
  expect(sent, "only what the server alone can refuse").toBe(1);
});

lookTest(
  "the team's screen, an invitation and its page @look",
  async ({ page, partner, visit }) => {
    await partner.person("editor");
    await visit("admin", "team");
    await page.getByRole("button", { name: /^(Invite a person|Convidar uma pessoa)$/ }).click();
    const sheet = page.getByRole("dialog");
    const email = `nova.pessoa.do.financeiro@${partner.id}.example`;
    await sheet.getByLabel(/^E-?mail$/).fill(email);
    await inspect(page, "team-invite");
    await sheet.getByRole("button", { name: /^(Create invitation|Criar convite)$/ }).click();
    await expect(sheet.getByRole("status")).toBeVisible();
    await inspect(page, "team-link");
    await sheet.getByRole("button", { name: /^(Done|Concluir)$/ }).click();
    await inspect(page, "team");

    await page.goto(`/invitation#${await invitationToken(email)}`);
    await page.getByRole("button", { name: /^(Sign out and continue|Sair e continuar)$/ }).click();
    await expect(page.getByLabel(/^(Password|Senha)$/)).toBeVisible();
    await inspect(page, "invitation");
  },
);

test("an alert address is added, confirmed by whoever reads it, and removed", async ({
  page,
  partner,
  mailing,
  signIn,
}) => {
  await signIn(await partner.person("admin"));
  const team = `${mailing.url}/partners/${partner.id}/team`;
  await page.goto(team);
  const address = `oncall@${partner.id}.example`;
  const section = page.getByRole("region", { name: "Alert addresses" });
  await section.getByRole("button", { name: "Add an address" }).click();
  const sheet = page.getByRole("dialog", { name: "Add an alert address" });
  await sheet.getByLabel("Email address").fill(address);
  await sheet.getByRole("button", { name: "Add and send the link" }).click();
  await expect(sheet.getByRole("status")).toContainText(address);
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(section).toContainText("Waits for confirmation");
  await inspect(page, "team-alert-addresses");

  const sent = mailing.mail.mails.find(({ to }) => to.includes(address));
  const { text } = readMail(sent ?? { to: [], source: "" });
  await page.goto(/http:\S+alert-address#[\w-]{43}/.exec(text)?.[0] ?? "");
  // The token is out of the address, so that it is in no picture of the screen and no history.
  await expect(page).not.toHaveURL(/#/);
  await inspect(page, "alert-address");
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await expect(page.getByRole("status")).toContainText(address);

  await page.goto(team);
  await expect(section).toContainText("Confirmed");
  await section.getByRole("button", { name: `Manage ${address}` }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(section).toContainText("There are none.");
});
