import { configure } from "@/lib/platform/database/testing/configure";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { peopleKinds } from "@/lib/history/testing/people-entries";
import { sessionHash } from "@/lib/platform/auth/sessions/session-hash";
import { findSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { changePassword, endSessions, readAccount } from "@/lib/account/testing/with-access";
import {
  newPerson,
  openSession,
  origin,
  outcomeOf,
  password,
  signInHere,
  type TestPerson,
} from "@/lib/account/testing/account-world";

beforeAll(() => configure());

let person: TestPerson;
let here: string;
let elsewhere: string;
/** In another person's browser. */
let others: string;
beforeEach(async () => {
  person = await newPerson();
  here = await signInHere(person);
  elsewhere = await openSession(person.id);
  others = await openSession((await newPerson()).id);
});

const isOpen = async (session: string) => (await findSession(db(), session)) !== null;

const next = "a river between two hills";

it("shows a person their own sessions, this one first, and nothing that opens one", async () => {
  const account = await readAccount();
  expect(account).toMatchObject({ email: person.email, password: "set" });
  expect(account.sessions.map((session) => session.here)).toEqual([true, false]);
  const firefox = { address: "192.0.2.9", browser: "Firefox", system: "Linux" };
  expect(account.sessions[1]).toMatchObject(firefox);
  expect(JSON.stringify(account)).not.toContain(here);
  expect(JSON.stringify(account)).not.toContain(elsewhere);
});

it("signs out everywhere else, or everywhere, and nobody else", async () => {
  expect(await endSessions({ which: "others" }, origin)).toEqual({ ended: 1 });
  expect(await endSessions({ which: "others" }, origin)).toEqual({ ended: 0 });
  expect(await isOpen(elsewhere)).toBe(false);
  expect(await isOpen(here)).toBe(true);
  expect(await endSessions({ which: "all" }, origin)).toEqual({ ended: 0 });
  expect(await isOpen(here)).toBe(false);
  expect(await isOpen(others)).toBe(true);
  const reported = ["sessions_ended: others", "sessions_ended: all"];
  expect(await peopleKinds(db(), person.id)).toEqual(reported);
});

it("signs out one other session, never another person's, and forgets known browsers", async () => {
  const two = await openSession(person.id);
  const keyOf = (session: string) => sessionHash(session).slice(0, 12);
  const end = (session: string) => endSessions({ which: "one", key: keyOf(session) }, origin);
  for (const refused of [others, here]) expect(await end(refused)).toEqual({ ended: 0 });
  expect(await endSessions({ which: "one" }, origin)).toEqual({ ended: 0 });
  expect(await end(elsewhere)).toEqual({ ended: 1 });
  expect(await end(elsewhere)).toEqual({ ended: 0 });
  expect(await isOpen(elsewhere)).toBe(false);
  for (const open of [others, here, two]) expect(await isOpen(open)).toBe(true);
  expect(await peopleKinds(db(), person.id)).toEqual(["sessions_ended: one"]);
});

it("changes a password only for a person who knows the old one (threat: a session left open)", async () => {
  const change = (current: string, wanted: string) =>
    outcomeOf(changePassword({ current, password: wanted }, origin));
  expect(await change("not the password", next)).toBe("current: wrong_password");
  expect(await change(password, "short")).toBe("password: too_short");
  expect(await isOpen(elsewhere)).toBe(true);
  expect(await change(password, next)).toBe("done");
  expect(await isOpen(elsewhere)).toBe(false);
  expect(await isOpen(here)).toBe(true);
  const again = { email: person.email, requestId: null, clientAddress: null, userAgent: null };
  expect(await signIn(db(), { ...again, password }, false)).toMatchObject({ outcome: "refused" });
  expect(await signIn(db(), { ...again, password: next }, false)).toMatchObject({
    outcome: "signed_in",
  });
  expect(await peopleKinds(db(), person.id)).toEqual([
    "confirmation_refused: wrong_password",
    "password_changed: changed",
    "sign_in_refused: wrong_password",
    "signed_in",
  ]);
});

it("bounds guesses at the old password (threat: guessing it in a session that was taken over)", async () => {
  const guess = (n: number) => changePassword({ current: `wrong ${n}`, password: next }, origin);
  for (let n = 0; n < 5; n++) expect(await outcomeOf(guess(n))).toBe("current: wrong_password");
  expect(await outcomeOf(guess(5))).toBe("too_many_requests");
});

it("sets no password for a person who has none (threat: a second way to sign in beside the provider)", async () => {
  await signInHere(await newPerson({ passwordSet: false }), "single_sign_on");
  expect((await readAccount()).password).toBe("none");
  const change = changePassword({ current: "anything", password: next }, origin);
  expect(await outcomeOf(change)).toBe("current: wrong_password");
});
