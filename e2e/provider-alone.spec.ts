import { expect, test } from "@/e2e/fixtures/test";
import { anotherDashboard } from "@/e2e/installation/dashboard";
import type { Program } from "@/e2e/installation/program";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
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
  await submit(atProvider, claims([`pix-${partner.id}-admin`]));
  await expect(page.getByText("emailed a link to on-call@aurora.example")).toBeVisible();

  await page.goto(`${url}/account`);
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /Password|One-time codes/ })).toHaveCount(0);
  for (const path of ["/forgot-password", "/choose-password", "/invitation"])
    expect((await page.request.get(url + path)).status(), path).toBe(404);
});
