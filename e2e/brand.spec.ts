import { anotherDashboard } from "@/e2e/installation/dashboard";
import type { Program } from "@/e2e/installation/program";
import { inspect } from "@/e2e/fixtures/inspect";
import { createPartner } from "@/e2e/fixtures/partner";
import { perceived } from "@/e2e/fixtures/perceived";
import { sessionCookieOf, userIdOf } from "@/e2e/fixtures/signed-in";
import { expect, test } from "@/e2e/fixtures/test";
import { db } from "@/lib/platform/database/open";
import { insertMember } from "@/lib/webhooks/testing/rows";
import { readMail, startMailServer, type MailServer } from "@/lib/tools/mail-server";
import path from "node:path";

const brand = {
  BRAND_NAME: "Atlas Pix",
  BRAND_ACCENT: "#6b21a8",
  BRAND_DIR: path.join(import.meta.dirname, "fixtures/brands/atlas"),
  BRAND_LINKS: "support=mailto:pix@atlas.example,terms=https://atlas.example/termos",
};

let url: string;
let dashboard: Program;
let mail: MailServer;
test.beforeAll(async () => {
  mail = await startMailServer();
  const another = await anotherDashboard();
  url = another.url;
  dashboard = await another.start({ ...brand, SMTP_URL: mail.url, MAIL_FROM: "pix@atlas.example" });
});
test.afterAll(async () => {
  await dashboard.stop();
  await mail.close();
});

test.use({ expectedNoise: [/status of 404/] });

test("an installation with a brand has no other name on any screen, in a mail or in what people download @main", async ({
  page,
  context,
  partner,
  staff,
}) => {
  test.setTimeout(120_000);
  const to = `/partners/${partner.id}`;
  const admin = await partner.person("admin");
  const beginner = await createPartner();
  await insertMember(db(), beginner.id, await userIdOf(admin), "admin");
  // An address that no save here asked for: it needs attention.
  await partner.service.register({ url: "https://hooks.loja.example/pix" });
  const screens = {
    nobody: [
      "/sign-in",
      "/sign-in?error=sso-proxy_failed",
      "/forgot-password",
      "/invitation#x",
      "/choose-password#x",
      "/alert-address#x",
    ],
    admin: [
      ...["webhooks", "approvals", "history", "receiver-kit", "connection"].map(
        (section) => `${to}/production/${section}`,
      ),
      // Where nothing is registered yet, and the dashboard can receive in the partner's place.
      `/partners/${beginner.id}/sandbox/webhooks`,
      `${to}/team`,
      "/account",
      "/nothing-here",
    ],
    support: [`${to}/support-view`],
    operator: ["/partners", "/overview", "/installation", "/installation/activity"],
  };
  const people: Partial<Record<string, string>> = {
    admin,
    support: await staff("support"),
    operator: await staff("operator"),
  };
  for (const locale of ["en", "pt-BR"])
    for (const [who, addresses] of Object.entries(screens)) {
      await page.goto("about:blank");
      await context.clearCookies();
      await context.addCookies([{ name: "gancho-locale", value: locale, url }]);
      const email = people[who];
      if (email) await context.addCookies([{ ...(await sessionCookieOf(email)), url }]);
      for (const address of addresses) {
        await page.goto(`${url}${address}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page).toHaveTitle(/Atlas Pix$/);
        expect(await perceived(page), `${locale} ${address}`).not.toMatch(/gancho(?!-)/i);
      }
    }

  await context.addCookies([{ ...(await sessionCookieOf(admin)), url }]);
  await page.goto(`${url}${to}/production/webhooks`);
  await inspect(page, "brand-webhooks");
  await context.clearCookies();
  await page.goto(`${url}/sign-in`);
  await expect(page.getByRole("img", { name: "Atlas Pix" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Support" })).toHaveAttribute(
    "href",
    "mailto:pix@atlas.example",
  );
  await inspect(page, "brand-sign-in");

  const { request } = context;
  const manifest = await request.get(`${url}/manifest.webmanifest`);
  expect(await manifest.json()).toMatchObject({ name: "Atlas Pix", theme_color: "#6b21a8" });
  const icon = await page.locator("link[rel=icon]").getAttribute("href");
  const drawn = await request.get(`${url}${icon}`);
  expect(drawn.headers()).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });

  await page.goto(`${url}/forgot-password`);
  await page.getByLabel("Email").fill(admin);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect.poll(() => mail.mails.length).toBeGreaterThan(0);
  const [sent] = mail.mails.map(readMail);
  expect(sent).toMatchObject({
    from: "Atlas Pix <pix@atlas.example>",
    subject: expect.stringMatching(/^Atlas Pix: /),
    text: expect.stringContaining("Atlas Pix · localhost"),
  });
  expect(Object.values(sent ?? {}).join("\n")).not.toMatch(/gancho/i);

  await context.addCookies([{ ...(await sessionCookieOf(admin)), url }]);
  const file = await request.get(`${url}/api${to}/history?format=csv&show=every`);
  expect(file.headers()["content-disposition"]).not.toMatch(/gancho/i);
  expect(await file.text()).not.toMatch(/gancho/i);
});
