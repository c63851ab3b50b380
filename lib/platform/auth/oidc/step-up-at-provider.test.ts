import { peopleEntries } from "@/lib/history/testing/people-entries";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { Browser } from "@/lib/platform/auth/testing/at-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { sessionHash } from "@/lib/platform/auth/sessions/session-hash";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { Secret } from "@/lib/platform/runtime/secret";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";

const at = vi.hoisted(() => ({ browser: null as Browser | null }));
vi.mock("next/headers", () => ({
  cookies: () => at.browser?.headers.cookies(),
  headers: () => at.browser?.headers.headers(),
}));

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
beforeAll(async () => {
  await configure();
  provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
});
afterAll(() => provider.stop());

let browser: Browser;
let subject: string;
let userId: string;
beforeEach(async () => {
  const { issuer, clientId } = provider;
  signInAt({ ...aProvider, issuer, clientId, clientSecret: new Secret(provider.clientSecret) });
  provider.signedInBefore(0);
  browser = new Browser();
  at.browser = browser;
  subject = randomUUID();
  userId = await insertUser(db(), { name: "Rui Prado", password_hash: null });
  await insert("identities", { issuer, subject, user_id: userId });
  await openSession();
});

/** A session of the person, which this browser has from then on. */
async function openSession(): Promise<void> {
  const from = { clientAddress: null, userAgent: null };
  const session = await startSession(db(), userId, from, { by: "single_sign_on" });
  signInAs(userId, sessionHash(session), "single_sign_on");
}

const begin = () => browser.begin({ stepUp: true });
const claims = (sub = subject) => ({ sub, email: "rui@aurora.example", email_verified: true });
const confirmed = "/confirm-identity?done=given";
const failed = (why: string) => `/confirm-identity?error=sso-${why}`;

async function isConfirmed(): Promise<boolean> {
  return requireStepUp({ session: await readSession() }).then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(ProblemError);
      expect(error).toMatchObject({ code: "reauthentication_required" });
      return false;
    },
  );
}

it("is given by signing in at the provider anew, for this session, which goes on", async () => {
  expect(await isConfirmed()).toBe(false);
  const asked = await begin();
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({ prompt: "login", max_age: "0" });
  expect(await browser.comeBack(await browser.answer(asked, claims()))).toBe(confirmed);
  expect(await isConfirmed()).toBe(true);
  expect(
    await db().selectFrom("sessions").select("id_hash").where("user_id", "=", userId).execute(),
  ).toHaveLength(1);
});

it("is given once by each answer, also with the same cookies again (threat: replay)", async () => {
  const answer = await browser.answer(await begin(), claims());
  const cookies = new Map(browser.cookies);
  expect(await browser.comeBack(answer)).toBe(confirmed);
  await openSession();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  expect(await browser.comeBack(answer)).toBe(failed("over"));
  expect(await isConfirmed()).toBe(false);
});

it("is given to no other session than the one that asked (threat: a stolen session that uses the owner's answer)", async () => {
  const answer = await browser.answer(await begin(), claims());
  await openSession();
  expect(await browser.comeBack(answer)).toBe(failed("over"));
  expect(await isConfirmed()).toBe(false);
});

it("is not given by another account of the provider, and the history says so", async () => {
  const another = await browser.answer(await begin(), claims(randomUUID()));
  expect(await browser.comeBack(another)).toBe(failed("other_account"));
  expect(await isConfirmed()).toBe(false);
  expect((await peopleEntries(db())).at(-1)).toMatchObject({
    kind: "confirmation_refused",
    outcome: "other_account",
    who: userId,
  });
});

it("is not given where the browser left out the request to sign in anew, and the provider remembered the person (threat: an unattended browser)", async () => {
  // They signed in there a while ago.
  provider.signedInBefore(60);
  await browser.answer(await begin(), claims());
  const asked = await begin();
  asked.searchParams.delete("prompt");
  asked.searchParams.delete("max_age");
  expect(await browser.comeBack(await browser.answer(asked, claims()))).toBe(failed("not_fresh"));
  expect(await isConfirmed()).toBe(false);
});

it("is refused so often an hour in one session, and waits then, while another session goes on (threat: a script that fills the history)", async () => {
  provider.signedInBefore(600);
  const refused = async () => {
    const asked = await begin();
    asked.searchParams.delete("prompt");
    asked.searchParams.delete("max_age");
    return browser.comeBack(await browser.answer(asked, claims()));
  };
  let to = await refused();
  let entries = 0;
  for (; to === failed("not_fresh") && entries < 21; entries += 1) to = await refused();
  expect(to).toMatch(/^\/confirm-identity\?error=throttled%3A\d+$/);
  const own = (await peopleEntries(db(), userId)).filter(
    ({ kind }) => kind === "confirmation_refused",
  );
  expect(own).toHaveLength(entries);
  expect(await isConfirmed()).toBe(false);
  await openSession();
  provider.signedInBefore(0);
  expect(await browser.comeBack(await browser.answer(await begin(), claims()))).toBe(confirmed);
});

it("is not given where the person cancels, and can be asked for again", async () => {
  const cancelled = await browser.answer(await begin(), "cancel");
  expect(await browser.comeBack(cancelled)).toBe(failed("cancelled"));
  expect(await isConfirmed()).toBe(false);
  expect(await browser.comeBack(await browser.answer(await begin(), claims()))).toBe(confirmed);
});

it("signs nobody in: an answer that was asked for to confirm opens no session (threat: a way around the rules for signing in)", async () => {
  const answer = await browser.answer(await begin(), claims());
  signInAs(null);
  expect(await browser.comeBack(answer)).toBe(failed("over"));
  expect([...browser.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
});

it("is no way where passwords are one, nor for somebody who is signed out", async () => {
  signInAs(null);
  await expect(begin()).rejects.toThrow("signed_out");
  await openSession();
  signInAt({ ...aProvider, isOnlyWay: false });
  await expect(begin()).rejects.toThrow("not_found");
});
