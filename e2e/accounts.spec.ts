import { db } from "@/lib/platform/database/open";
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { canary } from "@/e2e/canaries/canary";
import { inspect, look } from "@/e2e/fixtures/inspect";
import { password } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";

const newPassword = canary("password", "a river between two hills");

async function unprove(email: string): Promise<void> {
  await db()
    .updateTable("users")
    .set({ address_proven_at: null, address_proven_by: null })
    .where("email", "=", email)
    .execute();
}

async function comeByProvider(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in");
  await page.waitForLoadState();
  await page.getByRole("button", { name: /^(Continue with|Continuar com) Example ID$/ }).click();
  const claims = { sub: randomUUID(), email, email_verified: true };
  await page.getByLabel("Claims").fill(JSON.stringify(claims));
  await page.getByRole("button", { name: "Continue" }).click();
}

test("a person who comes by single sign-on reads that an earlier user's password is gone (threat: account squatting)", async ({
  page,
  partner,
  elsewhere,
}) => {
  const email = await partner.person("editor");
  await unprove(email);
  await comeByProvider(page, email);
  const notice = page.getByText("Removed from your account: the password");
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Got it" }).click();
  await expect(notice).toHaveCount(0);

  const squatter = await elsewhere();
  await squatter.goto("/sign-in");
  await squatter.getByLabel("Email").fill(email);
  await squatter.getByLabel("Password").fill(password);
  await squatter.getByRole("button", { name: "Sign in" }).click();
  await expect(squatter.getByText("Email or password is incorrect.")).toBeVisible();
});

test("who forgot their password gets a link by mail, and chooses another @main", async ({
  page,
  partner,
  mailing,
}) => {
  const email = await partner.person("editor");
  await page.goto(`${mailing.url}/sign-in`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill(email);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: email })).toBeVisible();
  await expect.poll(() => mailing.mail.mails.filter(({ to }) => to.includes(email)).length).toBe(1);
  const sent = mailing.mail.mails.find(({ to }) => to.includes(email))?.source ?? "";
  const text = sent.replace(/=\n/g, "").replace(/=3D/g, "=");
  await page.goto(/http:\S+choose-password#[\w-]+/.exec(text)?.[0] ?? "");
  await expect(page.getByText(`confirms that ${email} is yours`)).toBeVisible();
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Your password is set" })).toBeVisible();
});

test.describe("as it looks", { tag: "@look" }, () => {
  test.use(look);

  test("the screens of a forgotten password", async ({ page, mailing }) => {
    await page.goto("/forgot-password");
    await inspect(page, "forgot-by-hand");
    await page.goto(`${mailing.url}/forgot-password`);
    await inspect(page, "forgot");
    await page.getByLabel(/^E-?mail$/).fill(`${randomUUID()}@aurora.example`);
    await page.getByRole("button", { name: /^(Send the link|Enviar o link)$/ }).click();
    await expect(page.getByRole("status").filter({ hasText: "aurora" })).toBeVisible();
    await inspect(page, "forgot-sent");
  });

  test("notices about one's account", async ({ page, partner, staff, signIn, signOut }) => {
    const email = await partner.person("editor");
    await unprove(email);
    await signIn(email);
    await page.goto("/account");
    await inspect(page, "account-unproven");
    const admin = await partner.person("admin");
    await signIn(admin);
    await page.goto(`/partners/${partner.id}/team`);
    await inspect(page, "team-unproven");
    await page
      .getByRole("button", { name: /^(New password link for|Novo link de senha para) Edu/ })
      .click();
    await inspect(page, "member-link");
    await partner.disconnect("sandbox");
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await inspect(page, "webhooks-not-connected");
    const support = await staff("support");
    await unprove(support);
    await signIn(support);
    await page.goto("/");
    await inspect(page, "staff-unproven");
    await signOut();
    await comeByProvider(page, email);
    await expect(page.getByRole("button", { name: /^(Got it|Entendi)$/ })).toBeVisible();
    await inspect(page, "password-dropped");
    await db()
      .updateTable("sessions")
      .set({ revoked_at: 1, ended_because: "role_changed" })
      .where("user_id", "in", (eb) =>
        eb.selectFrom("users").select("id").where("email", "=", email),
      )
      .execute();
    await page.goto("/sign-in");
    await inspect(page, "sign-in-ended");
  });
});
