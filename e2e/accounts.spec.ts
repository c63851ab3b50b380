import { update } from "@/lib/platform/database/testing/rows";
import { randomUUID } from "node:crypto";
import { canary } from "@/e2e/canaries/canary";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { userIdOf } from "@/e2e/fixtures/signed-in";
import { expect, test } from "@/e2e/fixtures/test";

const newPassword = canary("password", "a river between two hills");

test("a person who forgot their password gets a link by mail and chooses a new one @main", async ({
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

lookTest("the screens of a forgotten password @look", async ({ page, mailing }) => {
  await page.goto("/forgot-password");
  await inspect(page, "forgot-by-hand");
  await page.goto(`${mailing.url}/forgot-password`);
  await inspect(page, "forgot");
  await page.getByLabel(/^E-?mail$/).fill(`${randomUUID()}@aurora.example`);
  await page.getByRole("button", { name: /^(Send the link|Enviar o link)$/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "aurora" })).toBeVisible();
  await inspect(page, "forgot-sent");
});

lookTest("the notice that a session was ended @look", async ({ page, partner, signIn }) => {
  const email = await partner.person("editor");
  await signIn(email);
  const ended = { revoked_at: 1, ended_because: "role_changed" } as const;
  await update("sessions", ended, { user_id: await userIdOf(email) });
  await page.goto("/sign-in");
  await inspect(page, "sign-in-ended");
});
