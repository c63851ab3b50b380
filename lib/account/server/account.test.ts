import { createHash } from "node:crypto";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { peopleKinds } from "@/lib/history/testing/people-entries";
import { findSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changePassword, endSessions, readAccount } from "@/lib/account/testing/with-access";
import {
  newPerson,
  openSession,
  origin,
  outcomeOf,
  password,
  signInHere,
  startAccountWorld,
} from "@/lib/account/testing/account-world";

beforeAll(startAccountWorld);
afterAll(() => db().destroy());

const next = "a river between two hills";

it("shows a person their own sessions, this one first, and nothing that opens one", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  await openSession(other.id);
  const here = await signInHere(person);
  const elsewhere = await openSession(person.id);
  const account = await readAccount();
  expect(account).toMatchObject({ email: person.email, passwordSet: true });
  expect(account.sessions.map((session) => session.here)).toEqual([true, false]);
  expect(account.sessions[1]).toMatchObject({
    address: "192.0.2.9",
    browser: "Firefox",
    system: "Linux",
  });
  expect(JSON.stringify(account)).not.toContain(here);
  expect(JSON.stringify(account)).not.toContain(elsewhere);
});

it("signs out everywhere else, or everywhere, and nobody else", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const here = await signInHere(person);
  const elsewhere = await openSession(person.id);
  const others = await openSession(other.id);
  expect(await endSessions({ which: "others" }, origin)).toEqual({ ended: 1 });
  expect(await endSessions({ which: "others" }, origin)).toEqual({ ended: 0 });
  expect(await findSession(db(), elsewhere)).toBeNull();
  expect(await findSession(db(), here)).not.toBeNull();
  expect(await endSessions({ which: "all" }, origin)).toEqual({ ended: 0 });
  expect(await findSession(db(), here)).toBeNull();
  expect(await findSession(db(), others)).not.toBeNull();
  const reported = ["sessions_ended: others", "sessions_ended: all"];
  expect(await peopleKinds(db(), person.id)).toEqual(reported);
});

it("signs out in one other place, never another person's, and knows no browser any more", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const others = await openSession(other.id);
  const here = await signInHere(person);
  const one = await openSession(person.id);
  const two = await openSession(person.id);
  const keyOf = (session: string) =>
    createHash("sha256").update(session).digest("hex").slice(0, 12);
  const end = (session: string) => endSessions({ which: "one", key: keyOf(session) }, origin);
  for (const refused of [others, here]) expect(await end(refused)).toEqual({ ended: 0 });
  expect(await endSessions({ which: "one" }, origin)).toEqual({ ended: 0 });
  expect(await end(one)).toEqual({ ended: 1 });
  expect(await end(one)).toEqual({ ended: 0 });
  expect(await findSession(db(), one)).toBeNull();
  for (const open of [others, here, two]) expect(await findSession(db(), open)).not.toBeNull();
  expect(await peopleKinds(db(), person.id)).toEqual(["sessions_ended: one"]);
});

it("changes a password only for a person who knows the old one (threat: a session left open)", async () => {
  const person = await newPerson();
  const here = await signInHere(person);
  const elsewhere = await openSession(person.id);
  const change = (current: string, wanted: string) =>
    outcomeOf(changePassword({ current, password: wanted }, origin));
  expect(await change("not the password", next)).toBe("current: wrong_password");
  expect(await change(password, "short")).toBe("password: too_short");
  expect(await findSession(db(), elsewhere)).not.toBeNull();
  expect(await change(password, next)).toBe("done");
  expect(await findSession(db(), elsewhere)).toBeNull();
  expect(await findSession(db(), here)).not.toBeNull();
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
  await signInHere(await newPerson());
  const outcomes: string[] = [];
  for (let n = 0; n < 6; n++)
    outcomes.push(
      await outcomeOf(changePassword({ current: `wrong ${n}`, password: next }, origin)),
    );
  expect(outcomes.at(-1)).toBe("too_many_requests");
});

it("sets no password for a person who has none (threat: a second way to sign in beside the provider)", async () => {
  await signInHere(await newPerson({ passwordSet: false }), "single_sign_on");
  expect((await readAccount()).passwordSet).toBe(false);
  expect(await outcomeOf(changePassword({ current: "anything", password: next }, origin))).toBe(
    "current: wrong_password",
  );
});
