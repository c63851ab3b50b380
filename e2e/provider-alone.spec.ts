import { expect, test } from "@/e2e/fixtures/test";
import { anotherDashboard } from "@/e2e/installation/dashboard";
import type { Program } from "@/e2e/installation/program";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { perceived } from "@/e2e/fixtures/perceived";
import { startMailServer, type MailServer } from "@/lib/tools/mail-server";
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";

let url: string;
let dashboard: Program;
let mail: MailServer;
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
test.beforeAll(async () => {
  const another = await anotherDashboard();
  url = another.url;
  provider = await startOpenIdProvider(`${url}/api/auth/callback/oidc`);
  mail = await startMailServer();
  dashboard = await another.start({
    BRAND_NAME: "Atlas Pix",
    SMTP_URL: mail.url,
    MAIL_FROM: "pix@atlas.example",
    SIGN_IN: "provider",
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: "Example ID",
    OIDC_STAFF_CLAIM: "groups=pix-support,pix-operators",
    OIDC_PARTNER_CLAIM: "groups=pix-{partner}-{role}",
  });
});
test.afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
  await mail.close();
});

test.use({ expectedNoise: [/status of 40[34]/] });

const submit = async (page: Page, claims: object) => {
  await page.getByLabel("Claims").fill(JSON.stringify(claims));
  await page.getByRole("button", { name: "Continue" }).click();
};

test("where the provider is the only way in, a person signs in there, confirms there in a window of its own, and loses nothing of what they typed @main", async ({
  page,
  partner,
}) => {
  test.setTimeout(240_000);
  const sub = randomUUID();
  const claims = (groups: string[]) => ({
    sub,
    email: `${sub}@${partner.id}.example`,
    email_verified: true,
    name: "Ana Reis",
    groups,
  });
  await page.goto(`${url}/partners/${partner.id}/team`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  const leave = page.getByRole("button", { name: "Continue with Example ID" });
  await page.waitForLoadState();
  await leave.click();
  await submit(page, claims([]));
  await expect(page.getByRole("main").getByRole("alert")).toContainText("opens nothing here");
  await page.waitForLoadState();
  await leave.click();
  await submit(page, claims([`pix-${partner.id}-admin`]));

  await expect(page).toHaveURL(`${url}/partners/${partner.id}/team`);
  await expect(page.getByText("Example ID decides who belongs to this team")).toBeVisible();
  await expect(page.getByRole("button", { name: "Invite" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Invitations" })).toHaveCount(0);

  await page.getByRole("button", { name: "Add an address" }).click();
  const address = page.getByRole("dialog").getByLabel("Email address");
  await address.fill("on-call@aurora.example");
  await page.getByRole("dialog").getByRole("button", { name: "Add and send the link" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
  const opened = page.waitForEvent("popup");
  await asked.getByRole("link", { name: "Continue with Example ID" }).click();
  const atProvider = await opened;
  await atProvider.getByRole("button", { name: "Cancel" }).click();
  await expect(atProvider.getByRole("main").getByRole("alert")).toContainText("cancelled");
  expect(await perceived(atProvider)).not.toMatch(/gancho(?!-)/i);
  await atProvider.waitForLoadState();
  await atProvider.getByRole("button", { name: "Continue with Example ID" }).click();
  await submit(atProvider, claims([`pix-${partner.id}-admin`]));
  await expect(page.getByText("emailed a link to on-call@aurora.example")).toBeVisible();

  await page.goto(`${url}/account`);
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /Password|One-time codes/ })).toHaveCount(0);
  for (const path of ["/forgot-password", "/choose-password", "/invitation"])
    expect((await page.request.get(url + path)).status(), path).toBe(404);
});

test("two people whom the provider's groups name are two persons: by the portal's link one approves what the other asked for, and signing out ends at the provider", async ({
  page,
  partner,
}) => {
  test.setTimeout(240_000);
  await partner.register({
    url: "https://hooks.loja.example/pix",
    authorization: "Bearer e2e-only",
  });
  await partner.person("admin");
  await partner.fourEyes();
  const claims = (name: string, role: string) => {
    const sub = randomUUID();
    const groups = [`pix-${partner.id}-${role}`];
    return { sub, email: `${sub}@${partner.id}.example`, email_verified: true, name, groups };
  };
  const comeAs = async (who: object) => {
    await page.context().clearCookies();
    await page.goto(`${url}/sign-in?partner=${partner.id}&environment=production`);
    await submit(page, who);
    await expect(page).toHaveURL(`${url}/partners/${partner.id}/production/webhooks`);
  };
  const moved = "https://pix.loja.example/notices";
  await comeAs(claims("Edu Paz", "editor"));
  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(moved);
  await sheet.getByLabel("Replace it").check();
  await sheet.getByLabel("Authorization value").fill("Bearer e2e-proposed-91c0d7ae25b4");
  await sheet.getByRole("button", { name: "Send for approval" }).click();
  await expect(page.getByRole("status")).toContainText(/^Waiting for approval/);

  const ana = claims("Ana Reis", "admin");
  await comeAs(ana);
  await page.goto(`${url}/partners/${partner.id}/production/approvals`);
  await page.getByRole("button", { name: "Approve the change to Pix in" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve the change to Pix in?" });
  const opened = page.waitForEvent("popup");
  await dialog.getByRole("link", { name: "Continue with Example ID" }).click();
  await submit(await opened, ana);
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: moved },
    { type: "pix_out" },
  ]);

  await page.getByRole("button", { name: /Ana Reis/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(page).toHaveURL(`${url}/sign-in`);
  await expect(page.getByRole("button", { name: "Continue with Example ID" })).toBeVisible();
});
