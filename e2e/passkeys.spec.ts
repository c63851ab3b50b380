import { update } from "@/lib/platform/database/testing/rows";
import { db } from "@/lib/platform/database/open";
import type { Page } from "@playwright/test";
import { canary } from "@/e2e/canaries/canary";
import { typeSignIn } from "@/e2e/fixtures/sign-in";
import { inspect, look } from "@/e2e/fixtures/inspect";
import { password } from "@/e2e/fixtures/partner";
import { userIdOf } from "@/e2e/fixtures/signed-in";
import { expect, test } from "@/e2e/fixtures/test";

// The browser logs step-ups and refusals as errors. No trace: it would keep what was revealed.
test.use({ expectedNoise: [/status of (401|403|422)/], trace: "off" });

const url = "https://hooks.lojaaurora.com.br/pix";

/**
 * A virtual authenticator of this page that unlocks itself. It also answers at once where a field offers passkeys and a
 * person would choose; `inField`: whether this browser offers them there.
 */
async function addAuthenticator(page: Page, { inField = false } = {}): Promise<void> {
  if (!inField)
    await page.addInitScript(() => {
      // An empty page has none.
      if ("PublicKeyCredential" in window)
        Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false });
    });
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** A person who has just confirmed their identity. */
async function addPasskey(page: Page, name = "Work laptop"): Promise<void> {
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Passkeys" });
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await section.getByLabel("Name of the passkey").fill(name);
  await section.getByRole("button", { name: "Continue" }).click();
  await expect(section.getByRole("status")).toContainText("The passkey has been added.");
}

test("a person confirms their identity, adds a passkey, signs in with it, and removes it @main", async ({
  page,
  partner,
  signOut,
}) => {
  const email = await partner.person("admin");
  await addAuthenticator(page);
  await page.goto("/sign-in");
  await typeSignIn(page, email);
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();

  await page.goto("/account");
  const section = page.getByRole("region", { name: "Passkeys" });
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await expect(section.getByLabel("Name of the passkey")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(section.getByText("Give it a name.")).toBeVisible();
  await page.keyboard.type("Work laptop");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Password").fill("not my password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Password")).toHaveAccessibleDescription(/Incorrect password/);
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await page.keyboard.type(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(section.getByRole("status")).toContainText("The passkey has been added.");
  const line = section.getByRole("listitem").filter({ hasText: "Work laptop" });
  await expect(line).toContainText("Not used yet");

  await signOut();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await page.goto("/account");
  await expect(line).toContainText("Last used");
  const activity = page.getByRole("region", { name: "Recent activity" });
  await expect(activity.getByText("Signed in with a passkey")).toBeVisible();
  await expect(activity.getByText("Passkey “Work laptop” added")).toBeVisible();

  await line.getByRole("button", { name: "Remove Work laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove the passkey" }).click();
  const use = dialog.getByRole("button", { name: "Use a passkey" });
  const user_id = await userIdOf(email);
  // As if a copy of it had signed meanwhile.
  await update("passkeys", { counter: 1_000_000 }, { user_id });
  await use.click();
  // The password would not do here.
  await expect(dialog.getByText("Try again, or use another passkey.")).toBeVisible();
  await update("passkeys", { counter: 0 }, { user_id });
  await use.click();
  await expect(section.getByRole("status")).toContainText("The passkey has been removed");
  await expect(line).toHaveCount(0);

  await signOut();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "passkey" })).toContainText(
    "This passkey was not accepted.",
  );
});

test("a passkey that the browser offers where the address is typed signs its person in", async ({
  page,
  partner,
  signIn,
  signOut,
}) => {
  await addAuthenticator(page, { inField: true });
  await signIn(await partner.person("admin"));
  await addPasskey(page);
  await signOut();
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await page.goto("/account");
  const activity = page.getByRole("region", { name: "Recent activity" });
  await expect(activity.getByText("Signed in with a passkey")).toBeVisible();
});

test("a passkey that is offered leaves the password as it was", async ({ page, partner }) => {
  const email = await partner.person("admin");
  await addAuthenticator(page, { inField: true });
  const offered = page.waitForRequest("**/api/sign-in/passkey");
  await page.goto("/sign-in");
  await offered;
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username webauthn");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
});

test("a person without a password here reveals a value with a passkey", async ({
  page,
  partner,
  signIn,
}) => {
  const held = `Bearer ${canary("authorization", "by passkey")}`;
  await partner.service.register({ url, authorization: held });
  const email = await partner.person("admin");
  await addAuthenticator(page);
  await signIn(email);
  await addPasskey(page);
  await db().updateTable("users").set({ password_hash: null }).where("email", "=", email).execute();
  await signIn(email);
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await page
    .getByRole("region", { name: "Pix in" })
    .getByRole("button", { name: "Reveal" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Reveal the Authorization of Pix in" });
  const use = dialog.getByRole("button", { name: "Use a passkey" });
  await expect(use).toHaveAccessibleDescription(/lost all your passkeys.* operator can reset them/);
  await expect(dialog.getByLabel("Password")).toHaveCount(0);
  await use.click();
  const value = dialog.getByRole("textbox", { name: "Authorization value of Pix in" });
  await expect(value).toHaveText(held);
  await page.keyboard.press("Escape");
});

test(
  "the screens that require a passkey are accessible",
  { tag: "@look" },
  async ({ page, partner, signIn, browser, baseURL }) => {
    const email = await partner.person("admin");
    await addAuthenticator(page);
    await signIn(email);
    await addPasskey(page);
    await update(
      "sessions",
      { reauthenticated_at: null, passkey_at: null },
      { user_id: await userIdOf(email) },
    );
    const context = await browser.newContext({ ...look, baseURL: baseURL ?? "" });
    const other = await context.newPage();
    await other.goto("/sign-in");
    await inspect(other, "passkey-sign-in");
    await context.addCookies(await page.context().cookies());
    await other.goto("/account");
    const section = other.getByRole("region", { name: /Passkeys|Chaves de acesso/ });
    await section.getByRole("button", { name: /Add a passkey|Adicionar chave de acesso/ }).click();
    await section.getByRole("textbox").fill("Notebook");
    await inspect(other, "passkey-account");
    await other.keyboard.press("Enter");
    const use = other
      .getByRole("dialog")
      .getByRole("button", { name: /Use a passkey|Usar uma chave/ });
    await expect(use).toBeVisible();
    await inspect(other, "passkey-step-up");
    await context.close();
  },
);
