import { chromium, type BrowserContext, type Page } from "@playwright/test";
import Database from "libsql";
import { createCipheriv, pbkdf2Sync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { password } from "@/e2e/fixtures/partner";
import { sessionCookieOf } from "@/e2e/fixtures/signed-in";
import { expect, test } from "@/e2e/fixtures/test";
import { fullBrowserPath } from "@/playwright.config";

/** A browser in which the person has saved their login fills it into no field but those of the login itself. */
const login = "saved@loja.example";

/** Chromium's time: microseconds since 1601. */
const savedAt = BigInt(Date.now() + 11_644_473_600_000) * 1_000n;

/** Starts Chromium with a profile. */
function open(profile: string): Promise<BrowserContext> {
  const browser = fullBrowserPath ? { executablePath: fullBrowserPath } : { channel: "chromium" };
  return chromium.launchPersistentContext(profile, {
    ...browser,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    locale: "en-GB",
  });
}

/** Saves a login as Chromium does where the system has no store for keys: under a key that all installations share. */
function saveLogin(profile: string, origin: string): void {
  const key = pbkdf2Sync("peanuts", "saltysalt", 1, 16, "sha1");
  const cipher = createCipheriv("aes-128-cbc", key, Buffer.alloc(16, " "));
  const sealed = Buffer.concat([Buffer.from("v10"), cipher.update(password), cipher.final()]);
  const logins = new Database(path.join(profile, "Default", "Login Data"));
  logins
    .prepare(
      `insert into logins (origin_url, signon_realm, username_element, username_value, password_element,
         password_value, date_created, blacklisted_by_user, scheme)
       values (?, ?, 'email', ?, 'password', ?, ?, 0, 0)`,
    )
    .run(`${origin}/`, `${origin}/`, login, sealed, savedAt);
  logins.close();
}

/** What the browser filled by itself, by what the field says about itself. */
function filled(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>("input:autofill")].map(
      (field) => field.autocomplete,
    ),
  );
}

/** Adds a form for the login itself: once the browser has filled that one, it has seen the others. */
async function addLoginForm(page: Page): Promise<void> {
  await page.evaluate(() => {
    const form = document.createElement("form");
    for (const [type, autocomplete] of [
      ["email", "username"],
      ["password", "current-password"],
    ] as const)
      form.append(Object.assign(document.createElement("input"), { type, autocomplete }));
    document.body.append(form);
  });
  await expect.poll(() => filled(page)).toContain("current-password");
}

test("a saved login is filled into its own fields, and into no other", async ({
  partner,
  baseURL,
}) => {
  const origin = baseURL ?? "";
  await partner.disconnect("sandbox");
  const admin = await partner.person("admin");
  const profile = mkdtempSync(path.join(tmpdir(), "gancho-profile-"));
  // Makes the profile's files.
  await (await open(profile)).close();
  saveLogin(profile, origin);
  const context = await open(profile);
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await context.addCookies([{ ...(await sessionCookieOf(admin)), url: origin }]);
    const at = `${origin}/partners/${partner.id}`;
    const link = (name: string) => page.getByRole("link", { name }).first();
    const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
    const myAccount = page.getByRole("menuitem", { name: "Your account" });
    // By presses: the browser fills forms that appear in a page, while what it fills into a new page does not last.
    for (const [environment, presses, field] of [
      ["sandbox", [link("API connection")], "Client secret"],
      ["production", [link("API connection"), button("Replace")], "Client secret"],
      ["production", [link("Webhooks"), button("Register webhook")], "Authorization value"],
      ["production", [link("Team"), button("Invite")], "Email"],
      ["production", [button(/^Account of/), myAccount], "Current password"],
    ] as const) {
      await page.goto(`${at}/${environment}/history`);
      for (const press of presses) await press.click();
      await expect(page.getByLabel(field).first()).toBeVisible();
      await addLoginForm(page);
      const fields = await filled(page);
      expect(
        fields.filter((field) => !["username", "current-password"].includes(field)),
        field,
      ).toEqual([]);
    }
  } finally {
    await context.close();
    rmSync(profile, { recursive: true });
  }
});
