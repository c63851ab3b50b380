import { newPerson } from "@/lib/account/testing/account-world";
import { peopleEntries } from "@/lib/history/testing/people-entries";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { DatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { POST } from "./route";

const browser = vi.hoisted(() => ({ cookies: new Map<string, string>() }));
vi.unmock("@/lib/platform/auth/sessions/read-session");
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) => {
      const value = browser.cookies.get(name);
      return value === undefined ? undefined : { name, value };
    },
  }),
}));

const ours = "https://gancho.example";
const cookie = "__Host-gancho.session";
const gone = `${cookie}=; Max-Age=0; SameSite=Lax; Path=/; HttpOnly; Secure`;

beforeAll(() => configure({ GANCHO_URL: ours }));

let person: string;
beforeEach(async () => {
  person = (await newPerson()).id;
  browser.cookies.clear();
  browser.cookies.set(
    cookie,
    await startSession(db(), person, { clientAddress: null, userAgent: null }),
  );
});

/** As a page of ours sends it, but for these headers. */
const signOut = (changed: Record<string, string> = {}, body = "{}") =>
  POST(
    new Request(`${ours}/api/auth/signout`, {
      method: "POST",
      headers: {
        origin: ours,
        "x-requested-by": "gancho",
        "content-type": "application/json",
        ...changed,
      },
      body,
    }),
    { params: Promise.resolve({}) },
  );

const isOpen = async () => (await readSession()) !== null;
const entries = async () =>
  (await peopleEntries(db(), person)).filter(({ kind }) => kind === "signed_out");

it("ends the session for every copy of its cookie, once, and leads to sign in (threat: a stolen cookie that outlives its owner's sign-out)", async () => {
  expect(await isOpen()).toBe(true);
  for (let n = 0; n < 2; n++) {
    const answer = await signOut();
    expect(await answer.json()).toEqual({ url: `${ours}/sign-in` });
    expect(answer.headers.getSetCookie()).toEqual([gone]);
    // The cookie is still sent here: a copy that somebody kept.
    expect(await isOpen()).toBe(false);
  }
  expect(await entries()).toMatchObject([{ outcome: "signed_out" }]);
});

it("clears a cookie that names no session, and needs none", async () => {
  for (const value of ["made-up", undefined]) {
    browser.cookies.clear();
    if (value !== undefined) browser.cookies.set(cookie, value);
    const answer = await signOut();
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, [gone]]);
  }
});

it.each<[string, Record<string, string>, string?]>([
  ["another site's page", { origin: "https://attacker.example" }],
  ["a neighbouring site's page", { "sec-fetch-site": "same-site" }],
  ["a form", { "x-requested-by": "" }],
  ["a form that looks like ours", { "content-type": "application/x-www-form-urlencoded" }],
  ["a request that says more", {}, '{"callbackUrl":"https://attacker.example"}'],
])("does nothing for %s (threat: a site that signs people out)", async (_what, changed, body) => {
  const answer = await signOut(changed, body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await isOpen()).toBe(true);
});

it("is done only where the database has it (threat: a copy of the cookie that stays valid)", async () => {
  vi.spyOn(db(), "transaction").mockImplementationOnce(() => {
    throw new DatabaseUnavailable("no_answer", "no answer in time");
  });
  const answer = await signOut();
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await isOpen()).toBe(true);
});
