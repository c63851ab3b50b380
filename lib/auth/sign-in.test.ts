import type { Db } from "@/lib/db/open";
import { hash } from "@node-rs/argon2";
import { afterEach, beforeEach, expect, it } from "vitest";
import { demoPassword } from "./demo-password";
import { hashPassword, needsRehash } from "./password-hash";
import { findSession } from "./sessions";
import { signIn } from "./sign-in";
import { databaseWithPeople, password } from "./testing/database-with-people";

let db: Db;
beforeEach(async () => {
  db = await databaseWithPeople();
});
afterEach(() => db.destroy());

const attempt = (email: string, typed = password, isDemo = false) =>
  signIn(db, { email, password: typed, clientAddress: "192.0.2.7", userAgent: null }, isDemo);

async function setPassword(id: string, password_hash: string) {
  await db.updateTable("users").set({ password_hash }).where("id", "=", id).execute();
}

it("starts a session of its own for each sign-in, however the address is written", async () => {
  const first = await attempt("ana@aurora.example");
  const second = await attempt(" Ana@Aurora.Example ");
  if (first.outcome !== "signed_in" || second.outcome !== "signed_in") throw new Error("refused");
  expect(second.sessionId).not.toBe(first.sessionId);
  for (const { sessionId } of [first, second])
    expect(await findSession(db, sessionId)).toMatchObject({ userId: "ana" });
});

it.each([
  ["a wrong password", "ana@aurora.example", "velho moinho verde"],
  ["an unknown person", "nobody@aurora.example", password],
  ["a disabled person", "dora@aurora.example", password],
  ["a person without a password", "sso@aurora.example", password],
  ["no password", "ana@aurora.example", ""],
  ["a password longer than any", "ana@aurora.example", "x".repeat(10_000)],
])("refuses %s", async (_what, email, typed) => {
  expect(await attempt(email, typed)).toMatchObject({ outcome: "refused" });
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
});

it("throttles unknown people exactly as known ones (threat: telling who exists)", async () => {
  const outcomes = async (email: string) => {
    const all = [];
    for (let n = 0; n < 7; n++) all.push((await attempt(email, "not the password")).outcome);
    return all;
  };
  const known = await outcomes("ana@aurora.example");
  expect(known).toEqual([...Array<string>(5).fill("refused"), "throttled", "throttled"]);
  expect(await outcomes("nobody@aurora.example")).toEqual(known);
});

it("does not even tell a right password while the account must wait", async () => {
  for (let n = 0; n < 5; n++) await attempt("ana@aurora.example", "not the password");
  expect(await attempt("ana@aurora.example")).toMatchObject({ outcome: "throttled" });
});

it("accepts the demo's password in the demo only (threat: a public password in production)", async () => {
  await setPassword("ana", await hashPassword(demoPassword));
  expect(await attempt("ana@aurora.example", demoPassword)).toMatchObject({ outcome: "refused" });
  const inDemo = await attempt("ana@aurora.example", demoPassword, true);
  expect(inDemo).toMatchObject({ outcome: "signed_in" });
});

it("renews a hash of an older cost", async () => {
  const old = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await setPassword("ana", old);
  expect(await attempt("ana@aurora.example")).toMatchObject({ outcome: "signed_in" });
  const user = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", "ana")
    .executeTakeFirstOrThrow();
  expect(needsRehash(user.password_hash ?? "")).toBe(false);
  expect(await attempt("ana@aurora.example")).toMatchObject({ outcome: "signed_in" });
});
