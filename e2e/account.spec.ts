import { authenticatorApp } from "@/lib/platform/auth/testing/authenticator-app";
import type { Page } from "@playwright/test";
import { typeSignIn } from "@/e2e/fixtures/sign-in";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { password } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";

// No trace: it would keep secrets and codes that are shown once.
test.use({ trace: "off" });

const words = {
  setUp: /^(Set up one-time codes|Ativar códigos de uso único)$/,
  password: /^(Your password|Sua senha)$/,
  continue: /^(Continue|Continuar)$/,
  code: /^(Code from the app|Código do aplicativo)$/,
  turnOn: /^(Turn codes on|Ativar os códigos)$/,
  kept: /^(I have saved them|Já os guardei)$/,
};

/** Up to where the secret is shown. Returns what the authenticator app shows, so many half-minutes from now. */
async function begin(page: Page): Promise<(steps: number) => string> {
  await page.goto("/account");
  await page.getByRole("button", { name: words.setUp }).click();
  await page.getByLabel(words.password).fill(password);
  await page.getByRole("button", { name: words.continue }).click();
  await expect(page.getByRole("img", { name: /QR/ })).toBeVisible();
  await expect(page.getByText(/^(Scan the QR code|Leia o código QR)/)).toBeFocused();
  return authenticatorApp(await page.locator("code").innerText());
}

async function confirm(page: Page, code: string): Promise<string[]> {
  await page.getByLabel(words.code).fill(code);
  await page.getByRole("button", { name: words.turnOn }).click();
  return keepCodes(page);
}

/** The recovery codes that are shown. */
async function keepCodes(page: Page): Promise<string[]> {
  const kept = page.getByRole("button", { name: words.kept });
  await expect(kept).toBeVisible();
  const codes = page.getByRole("list", { name: /Recovery codes|Códigos de recuperação/ });
  return codes.getByRole("listitem").allInnerTexts();
}

test("a printed account has no heading of what one can only fill in or press", async ({
  page,
  visit,
}) => {
  await visit("viewer", "sandbox/webhooks");
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Your name" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "One-time codes",
    // It says that none are sent here.
    "Email notifications",
    "Your partners",
    "Where you are signed in",
    "Recent activity",
  ]);
});

test("one-time codes, from setting them up to signing in with an app's code and with a recovery code, to new ones @main", async ({
  page,
  partner,
  signIn,
  elsewhere,
}) => {
  const email = await partner.person("viewer");
  await signIn(email);
  const app = await begin(page);
  const [recovery = "", another = ""] = await confirm(page, app(0));
  await page.getByRole("button", { name: words.kept }).click();
  await expect(page.getByRole("status").filter({ hasText: "are set up" })).toBeVisible();

  const guest = await elsewhere();
  for (const [which, typed] of [
    ["One-time code", app(1)],
    ["Recovery code", recovery],
  ] as const) {
    await guest.context().clearCookies();
    await guest.goto("/sign-in?callbackUrl=/account");
    await typeSignIn(guest, email);
    const field = guest.getByLabel(which);
    if (which === "Recovery code")
      await guest.getByRole("button", { name: "Use a recovery code" }).click();
    await field.fill("000000x");
    await guest.getByRole("button", { name: "Sign in" }).click();
    await expect(guest.getByRole("main").getByRole("alert")).toContainText("not valid");
    await field.fill(typed);
    await field.press("Enter");
    await expect(guest.getByRole("heading", { name: "Your account" })).toBeVisible();
  }
  await expect(guest.getByText("9 recovery codes left")).toBeVisible();
  await guest.getByRole("button", { name: "Get new recovery codes" }).click();
  await guest.getByLabel("Your password").fill(password);
  await guest.getByLabel("Code from the app, or a recovery code").fill(another);
  await guest.keyboard.press("Enter");
  expect(await keepCodes(guest)).toHaveLength(10);
  await guest.getByRole("button", { name: words.kept }).click();
  await expect(guest.locator(":focus")).toContainText("The old ones no longer work.");
  await expect(guest.getByText("10 recovery codes left")).toBeVisible();
  const cookies = await guest.context().cookies();
  const device = cookies.find((cookie) => cookie.name === "gancho.device");
  expect(device).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  expect(cookies.map((cookie) => cookie.name)).not.toContain("gancho.code");
});

test("a person chooses theme and language, and the next page uses them", async ({
  page,
  partner,
  signIn,
}) => {
  await signIn(await partner.person("viewer"));
  await page.goto("/account");
  const display = page.getByRole("region", { name: "Display" });
  await display.getByRole("radio", { name: "Dark" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  // The page comes in the other language at once, this part of it included.
  await display.getByRole("radio", { name: "Português" }).click();
  await expect(page.getByRole("heading", { name: "Sua conta" })).toBeVisible();

  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const shown = page.getByRole("region", { name: "Aparência" });
  await expect(shown.getByRole("radio", { name: "Escuro" })).toBeChecked();
  await shown.getByRole("radio", { name: "Sistema" }).check();
  await expect(page.locator("html")).not.toHaveAttribute("data-theme");
});

test("a person sees where they are signed in, changes the password, signs out one other session, where the focus stays on the page, and then everywhere", async ({
  page,
  partner,
  signIn,
  elsewhere,
}) => {
  const email = await partner.person("viewer");
  const guest = await elsewhere();
  await guest.goto("/sign-in");
  await typeSignIn(guest, email);
  await expect(guest).not.toHaveURL(/sign-in/);

  await signIn(email);
  await page.goto("/");
  await page.getByRole("button", { name: /Vera Viewer/ }).click();
  await page.getByRole("menuitem", { name: "Your account" }).click();
  const sessions = page.getByRole("region", { name: "Where you are signed in" });
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("a river between two hills");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: "password has been changed" }),
  ).toBeVisible();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  const activity = page.getByRole("region", { name: "Recent activity" }).getByRole("listitem");
  await expect(activity.nth(0)).toContainText("Password changed");
  await expect(activity.nth(1)).toContainText("Signed in with the password");
  await expect(activity.nth(1)).toContainText(/Linux, new browser.*from (127|::1)/s);
  await guest.goto("/account");
  await expect(guest).toHaveURL(/sign-in/);

  const other = await elsewhere(email);
  await page.reload();
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await sessions.getByRole("button", { name: /^End the session on / }).press("Enter");
  await page.getByRole("button", { name: "End the session" }).press("Enter");
  await expect(sessions.getByRole("status")).toContainText("1 other session has ended.");
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("main")).toBeFocused();
  await other.goto("/account");
  await expect(other).toHaveURL(/sign-in/);

  await sessions.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(/sign-in/);
});

lookTest(
  "the account, setting codes up, and the second step of signing in @look",
  async ({ page, partner, signIn, signOut }) => {
    const email = await partner.person("admin");
    await signIn(email);
    await page.goto("/account");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await inspect(page, "account");
    const app = await begin(page);
    await inspect(page, "account-picture");
    await confirm(page, app(0));
    await inspect(page, "account-recovery");
    await signOut();
    await page.goto("/sign-in");
    await page.getByLabel(/^(Email|E-mail)$/).fill(email);
    await page.getByLabel(/^(Password|Senha)$/).fill(password);
    await page.getByRole("button", { name: /^(Sign in|Entrar)$/ }).click();
    await expect(page.getByLabel(/^(One-time code|Código de uso único)$/)).toBeFocused();
    await inspect(page, "sign-in-code");
  },
);

lookTest(
  "a person changes their name, and is shown by it at once @look",
  async ({ page, partner, signIn, expectedNoise }) => {
    expectedNoise.push(/status of 422/);
    await signIn(await partner.person("viewer"));
    await page.goto("/account");
    const name = page.getByLabel("Nome", { exact: true });
    const change = page.getByRole("button", { name: "Alterar nome" });
    await name.fill("Suporte Gancho");
    await change.click();
    await expect(name).toHaveAccessibleDescription(/se confunde com o de outra pessoa/);
    await name.fill("Joana Prado");
    await change.click();
    await expect(page.getByText("Seu nome foi alterado.")).toBeVisible();
    await expect(page.getByRole("button", { name: /Joana Prado/ })).toBeVisible();
    await expect(page.getByText("Mudou o próprio nome, que era “Vera Viewer”")).toBeVisible();
    await inspect(page, "account-name");
  },
);
