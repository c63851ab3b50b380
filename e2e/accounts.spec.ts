import { db } from "@/lib/platform/database/open";
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { canary } from "@/e2e/canaries/canary";
import { inspect, look } from "@/e2e/fixtures/inspect";
import { expect, test } from "@/e2e/fixtures/test";

const newPassword = canary("password", "a river between two hills");

async function comeByProvider(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in");
  await page.waitForLoadState();
  await page.getByRole("button", { name: /^(Continue with|Continuar com) Example ID$/ }).click();
  const claims = { sub: randomUUID(), email, email_verified: true };
  await page.getByLabel("Claims").fill(JSON.stringify(claims));
  await page.getByRole("button", { name: "Continue" }).click();
}

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
  await inspect(page, "choose-password");
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

  test("notices about one's account", async ({ page, partner, signIn, signOut }) => {
    const email = await partner.person("editor");
    await signIn(await partner.person("admin"));
    await partner.disconnect("sandbox");
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await inspect(page, "webhooks-not-connected");
    await signOut();
    await comeByProvider(page, email);
    await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
    // An open page would ask on, without a session.
    await page.goto("about:blank");
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
