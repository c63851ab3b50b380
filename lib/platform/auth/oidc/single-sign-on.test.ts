import { HEAD } from "@/app/api/auth/callback/oidc/route";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { Browser } from "@/lib/platform/auth/testing/at-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { Secret } from "@/lib/platform/runtime/secret";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";

const at = vi.hoisted(() => ({ browser: null as Browser | null }));
vi.mock("next/headers", () => ({
  cookies: () => at.browser?.headers.cookies(),
  headers: () => at.browser?.headers.headers(),
}));

// The session that the browser's cookie names; elsewhere `signInAs` decides.
vi.mock("@/lib/platform/auth/sessions/read-session", async (original) => original());

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
beforeAll(async () => {
  await configure();
  provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
});
afterAll(() => provider.stop());

let browser: Browser;
let userId: string;
let claims: { sub: string; email: string; email_verified: boolean };
beforeEach(async () => {
  const { issuer, clientId } = provider;
  signInAt({ ...aProvider, issuer, clientId, clientSecret: new Secret(provider.clientSecret) });
  browser = new Browser();
  at.browser = browser;
  const sub = randomUUID();
  claims = { sub, email: `${sub}@aurora.example`, email_verified: true };
  userId = await insertUser(db(), { name: "Rui Prado", password_hash: null });
  await insert("identities", { issuer, subject: sub, user_id: userId });
});

const openSessions = async () =>
  (await db().selectFrom("sessions").select("revoked_at").where("user_id", "=", userId).execute())
    .map(({ revoked_at }) => revoked_at)
    .filter((ended) => ended === null).length;

it("lets two tabs be at the provider at once, each to its own page, in one session in the end", async () => {
  const first = await browser.begin({ callbackUrl: "/partners" });
  const second = await browser.begin({ callbackUrl: "/account" });
  expect(await browser.comeBack(await browser.answer(first, claims))).toBe("/partners");
  const session = await readSession();
  expect(await browser.comeBack(await browser.answer(second, claims))).toBe("/account");
  expect(await readSession()).toMatchObject({ userId, signedInBy: "single_sign_on" });
  expect(await readSession()).not.toEqual(session);
  expect(await openSessions()).toBe(1);
  expect([...browser.cookies.keys()]).toEqual(["gancho.session"]);
});

it("makes a new session each time, and ends the one that the browser had (threat: fixation)", async () => {
  const planted = await startSession(db(), userId, { clientAddress: null, userAgent: null });
  browser.cookies.set("gancho.session", planted);
  await browser.comeBack(await browser.answer(await browser.begin(), claims));
  expect(browser.cookies.get("gancho.session")).not.toBe(planted);
  expect(await openSessions()).toBe(1);
});

it("leads to a page of ours alone, whatever the browser kept (threat: open redirect)", async () => {
  for (const callbackUrl of ["https://attacker.example/", "//attacker.example", "/\\attacker"]) {
    const answer = await browser.answer(await browser.begin({ callbackUrl }), claims);
    for (const name of browser.cookies.keys())
      if (name.includes("wanted")) browser.cookies.set(name, callbackUrl);
    expect(await browser.comeBack(answer), callbackUrl).toBe("/");
  }
});

it("keeps an answer that is only looked at (threat: an extension or a preview that uses it up)", async () => {
  const answer = await browser.answer(await browser.begin(), claims);
  const looked = new Request(answer, { method: "HEAD" });
  expect((await HEAD(looked, { params: Promise.resolve({}) })).status).toBe(404);
  expect(await browser.comeBack(answer)).toBe("/");
  expect(await readSession()).toMatchObject({ userId });
});

it.each(["NEXTAUTH_URL", "AUTH_TRUST_HOST"])(
  "has the provider lead back here, also where %s is set (threat: a code that goes elsewhere)",
  async (variable) => {
    vi.stubEnv(variable, "https://attacker.example");
    onTestFinished(() => void vi.unstubAllEnvs());
    const asked = await browser.begin();
    const redirect = "http://localhost:3000/api/auth/callback/oidc";
    expect(asked.searchParams.get("redirect_uri")).toBe(redirect);
    expect(await browser.comeBack(await browser.answer(asked, claims))).toBe("/");
  },
);

it("opens nothing here by next-auth's own session (threat: a second way in)", async () => {
  await browser.comeBack(await browser.answer(await browser.begin(), claims));
  expect([...browser.cookies.keys()]).toEqual(["gancho.session"]);
  expect(browser.cookies.get("gancho.session")).toMatch(/^[\w-]{43}$/);
});
