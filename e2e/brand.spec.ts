import { anotherDashboard } from "@/e2e/installation/dashboard";
import type { Program } from "@/e2e/installation/program";
import { inspect } from "@/e2e/fixtures/inspect";
import { sessionCookieOf } from "@/e2e/fixtures/signed-in";
import { expect, test } from "@/e2e/fixtures/test";
import { readMail, startMailServer, type MailServer } from "@/lib/tools/mail-server";
import type { Page } from "@playwright/test";
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

/** What anybody sees or hears of a page: texts, also those for paper alone, names of controls, the title. */
const perceived = (page: Page) =>
  page.evaluate(() => {
    const attributes = ["aria-label", "title", "alt", "placeholder", "content"];
    const named = [...document.querySelectorAll("*")].flatMap((element) => [
      ...attributes.map((name) => element.getAttribute(name) ?? ""),
      element instanceof HTMLInputElement ? element.value : "",
    ]);
    const shown = document.body.cloneNode(true) as HTMLElement;
    for (const hidden of shown.querySelectorAll("script, style")) hidden.remove();
    return [document.title, shown.textContent, ...named].join("\n");
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
  const screens = {
    nobody: ["/sign-in", "/forgot-password", "/invitation#x", "/choose-password#x"],
    admin: [
      ...["webhooks", "approvals", "history", "receiver-kit", "connection"].map(
        (section) => `${to}/production/${section}`,
      ),
      `${to}/team`,
      "/account",
      "/nothing-here",
    ],
    operator: ["/partners", "/overview", "/installation", "/installation/activity"],
  };
  const people = { admin: await partner.person("admin"), operator: await staff("operator") };
  for (const locale of ["en", "pt-BR"])
    for (const [who, addresses] of Object.entries(screens)) {
      await page.goto("about:blank");
      await context.clearCookies();
      await context.addCookies([{ name: "gancho-locale", value: locale, url }]);
      const email = who === "admin" || who === "operator" ? people[who] : null;
      if (email) await context.addCookies([{ ...(await sessionCookieOf(email)), url }]);
      for (const address of addresses) {
        await page.goto(`${url}${address}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page).toHaveTitle(/Atlas Pix$/);
        expect(await perceived(page), `${locale} ${address}`).not.toMatch(/gancho(?!-)/i);
      }
    }

  await context.addCookies([{ ...(await sessionCookieOf(people.admin)), url }]);
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
  await page.getByLabel("Email").fill(people.admin);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect.poll(() => mail.mails.length).toBeGreaterThan(0);
  const [sent] = mail.mails.map(readMail);
  expect(sent).toMatchObject({
    from: "Atlas Pix <pix@atlas.example>",
    subject: expect.stringMatching(/^Atlas Pix: /),
    text: expect.stringContaining("Atlas Pix · localhost"),
  });
  expect(Object.values(sent ?? {}).join("\n")).not.toMatch(/gancho/i);

  await context.addCookies([{ ...(await sessionCookieOf(people.admin)), url }]);
  const file = await request.get(`${url}/api${to}/history?format=csv&show=every`);
  expect(file.headers()["content-disposition"]).not.toMatch(/gancho/i);
  expect(await file.text()).not.toMatch(/gancho/i);
});
