import { inTransaction, rowOf } from "@/lib/platform/database/testing/rows";
import { createInvitation } from "@/lib/team/server/invitations/create-invitation";
import type { Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import type { E2ePartner } from "@/e2e/fixtures/partner";
import { userIdOf } from "@/e2e/fixtures/signed-in";
import { expect, test } from "@/e2e/fixtures/test";

/** The claims of a person, typed into the provider's sign-in page. */
type Claims = { sub: string; email: string; email_verified?: boolean; [name: string]: unknown };

const claimsOf = (email: string, more: object = {}): Claims => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  ...more,
});

const begin = async (page: Page, path = "/sign-in") => {
  await page.goto(path);
  await goToProvider(page);
};

/** After a redirect from the provider, the button is there before the page listens. */
const goToProvider = async (page: Page) => {
  await page.waitForLoadState();
  await page.getByRole("button", { name: "Continue with Example ID" }).click();
};

const submitClaims = async (page: Page, claims: Claims) => {
  await page.getByLabel("Claims").fill(JSON.stringify(claims));
  await page.getByRole("button", { name: "Continue" }).click();
};

const reported = (page: Page) => page.getByRole("main").getByRole("alert");

const callback = "/api/auth/callback/oidc";

/** Goes as far as the provider, and returns the address to which it redirects the browser instead of following it. */
async function answerOfProvider(page: Page, claims: Claims, path?: string): Promise<URL> {
  await begin(page, path);
  await page.getByLabel("Claims").waitFor();
  const { request } = page.context();
  const form = { claims: JSON.stringify(claims) };
  const signedIn = await request.post(page.url(), { form, maxRedirects: 0 });
  const resumed = await request.get(signedIn.headers()["location"] ?? "", { maxRedirects: 0 });
  return new URL(resumed.headers()["location"] ?? "");
}

async function invitationLink(partner: E2ePartner, email: string): Promise<string> {
  const invitedBy = { id: await userIdOf(await partner.person("admin")), name: "Ana Admin" };
  const invitation = { partnerId: partner.id, email, role: "editor", invitedBy } as const;
  const { token } = await inTransaction((trx) => createInvitation(trx, invitation));
  return `/invitation#${token}`;
}

test("a person who cancels is back where they were, and can still get to where they wanted", async ({
  page,
  partner,
}) => {
  const email = await partner.person("viewer");
  await begin(page, `/partners/${partner.id}/production/webhooks`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(reported(page)).toContainText("You are not signed in");
  await goToProvider(page);
  await submitClaims(page, claimsOf(email));
  await expect(page).toHaveURL(`/partners/${partner.id}/production/webhooks`);
});

test("a link with partner and environment leads through the provider to that page; one that names nothing here to the sign-in page", async ({
  page,
  partner,
}) => {
  const email = await partner.person("viewer");
  await page.goto(`/sign-in?partner=${partner.id}&environment=nowhere`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto(`/sign-in?partner=${partner.id}&environment=production`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(reported(page)).toContainText("You are not signed in");
  await goToProvider(page);
  await submitClaims(page, claimsOf(email));
  await expect(page).toHaveURL(`/partners/${partner.id}/production/webhooks`);
  await page.goto(`/sign-in?partner=${partner.id}&environment=sandbox`);
  await expect(page).toHaveURL(`/partners/${partner.id}/sandbox/webhooks`);
});

test("a new person joins with their provider's account, and never has a password @main", async ({
  page,
  context,
  partner,
}) => {
  const email = `nova@${partner.id}.example`;
  await page.goto(await invitationLink(partner, email));
  await goToProvider(page);
  await submitClaims(page, claimsOf(`thief@${partner.id}.example`));
  await expect(reported(page)).toContainText("Nobody here has your email address");
  await goToProvider(page);
  await submitClaims(page, claimsOf(email, { name: "Nova Pessoa" }));
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(page).toHaveURL(`/partners/${partner.id}/sandbox/webhooks`);
  await expect(page.getByRole("button", { name: "Register webhook" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Nova Pessoa/ })).toBeVisible();
  const names = (await context.cookies()).map(({ name }) => name).join(" ");
  expect(names).not.toMatch(/gancho\.(state|nonce|pkce|wanted)/);
  expect(await rowOf("users", { email })).toMatchObject({ password_hash: null });
});

test("the provider's answer works once, even with the same cookies again, and leads to no other site (threats: replay, open redirect)", async ({
  page,
  context,
  partner,
  signOut,
}) => {
  const claims = claimsOf(await partner.person("viewer"));
  const path = "/sign-in?callbackUrl=https://attacker.example/";
  const answer = await answerOfProvider(page, claims, path);
  const cookies = await context.cookies();
  await page.goto(answer.href);
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();

  await signOut();
  await page.goto(answer.href);
  await expect(reported(page)).toContainText("Single sign-on did not work");

  await context.addCookies(cookies);
  await page.goto(answer.href);
  await expect(reported(page)).toContainText("Single sign-on did not work");
});

test("an answer with another state, code or issuer is refused (threat: a forged answer)", async ({
  page,
  partner,
  signOut,
}) => {
  const claims = claimsOf(await partner.person("admin"));
  const changed = [
    ["state", "another"],
    ["code", "another"],
    ["iss", "https://id.example"],
  ] as const;
  for (const [name, value] of changed) {
    await signOut();
    const answer = await answerOfProvider(page, claims);
    const right = answer.searchParams.get(name);
    answer.searchParams.set(name, value);
    await page.goto(answer.href);
    await expect(reported(page)).toContainText("Single sign-on did not work");
    answer.searchParams.set(name, right ?? "");
    await page.goto(answer.href);
    // One that was not requested is no answer. An attempt accepts one, so after another the right one comes too late.
    if (name === "state")
      await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
    else await expect(reported(page)).toContainText("Single sign-on did not work");
  }
});

test("a person who begins in two tabs signs in in both, each where they wanted to go", async ({
  page,
  context,
  partner,
}) => {
  const claims = claimsOf(await partner.person("viewer"));
  const [first, second] = [page, await context.newPage()];
  await begin(first, `/partners/${partner.id}/production/webhooks`);
  await begin(second, "/account");
  // Both have asked before either is answered.
  for (const tab of [first, second]) await expect(tab.getByLabel("Claims")).toBeVisible();
  await submitClaims(first, claims);
  await expect(first).toHaveURL(`/partners/${partner.id}/production/webhooks`);
  await submitClaims(second, claims);
  await expect(second).toHaveURL("/account");
});

test("the endpoints answer only the dashboard's pages, and send only the configured request", async ({
  context,
  baseURL: origin = "",
}) => {
  const send = (origin: string) =>
    context.request.post(
      "/api/auth/signin/oidc?redirect_uri=https://attacker.example&scope=openid+admin",
      { headers: { origin, "x-requested-by": "gancho" }, data: {} },
    );
  expect((await send("https://attacker.example")).status()).toBe(403);
  const posted = await context.request.post(callback, { form: { code: "x", state: "x" } });
  expect(posted.status()).toBe(405);

  const begun = await send(origin);
  const asked = new URL(Object(await begun.json()).url).searchParams;
  expect(asked.get("redirect_uri")).toMatch(/^http:\/\/localhost:\d+\/api\/auth\/callback\/oidc$/);
  expect(asked.get("scope")).toBe("openid email profile");
  expect(asked.get("code_challenge_method")).toBe("S256");
  expect(asked.get("state")).toMatch(/^.{20,}$/);
  expect(asked.get("nonce")).toMatch(/^.{20,}$/);
});
