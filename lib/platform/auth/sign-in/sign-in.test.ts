import { log } from "@/lib/platform/log/log";
import { hash, verify } from "@node-rs/argon2";
import { hashCost } from "@/lib/platform/auth/passwords/hash-cost";
import { describe, expect, it, vi, onTestFinished } from "vitest";
import { demoPassword } from "@/lib/platform/env/mode";
import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { endSessionsOf, findSession } from "@/lib/platform/auth/sessions/sessions";
import { checkPassword } from "./check-password";
import { signIn } from "./sign-in";
import { amongPeople, db, password } from "@/lib/platform/auth/testing/database-with-people";

vi.mock(import("@node-rs/argon2"), async (original) => {
  const argon2 = await original();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});
const { verify: check } = await vi.importActual<{ verify: typeof verify }>("@node-rs/argon2");

amongPeople();

const from = { requestId: "q1", clientAddress: "192.0.2.7", userAgent: null };
const attempt = (email: string, typed = password, isDemo = false, device?: string) =>
  signIn(db, { email, password: typed, ...from, device }, isDemo);

const setPassword = (id: string, password_hash: string) =>
  db.updateTable("users").set({ password_hash }).where("id", "=", id).execute();

it("starts a separate session for each sign-in, however the address is written", async () => {
  const first = await attempt("ana@aurora.example");
  const second = await attempt(" Ana@Aurora.Example ");
  if (first.outcome !== "signed_in" || second.outcome !== "signed_in") throw new Error("refused");
  expect(second.sessionId).not.toBe(first.sessionId);
  for (const { sessionId } of [first, second])
    expect(await findSession(db, sessionId)).toMatchObject({ userId: "ana" });
});

it("starts no session where the password changes while the old one is checked (threat: keeping a stolen password's session)", async () => {
  vi.mocked(verify).mockImplementationOnce(async (...given) => {
    const isRight = await check(...given);
    await setPassword("ana", await hash("another long password", { memoryCost: 1_024 }));
    await db.transaction().execute((trx) => endSessionsOf(trx, "ana", "password_changed"));
    return isRight;
  });
  expect(await attempt("ana@aurora.example")).toEqual({ outcome: "refused", userId: "ana" });
  const open = db.selectFrom("sessions").select("id_hash").where("revoked_at", "is", null);
  expect(await open.execute()).toEqual([]);
});

it.each([
  ["a wrong password", "ana@aurora.example", "velho moinho verde"],
  ["an unknown person", "nobody@aurora.example", password],
  ["an address that PostgreSQL cannot compare", "ana\u0000@aurora.example", password],
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

it("does the same work for unknown, disabled and passwordless people as for a wrong password (threat: telling by the delay who exists)", async () => {
  const costs: string[][] = [];
  const statements: string[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const asked: string[][] = [];
  // The first of a minute also deletes what has expired.
  await signIn(watched, { ...from, email: "first@aurora.example", password }, false);
  statements.length = 0;
  for (const who of ["ana", "nobody", "dora", "sso"]) {
    vi.mocked(verify).mockClear();
    const email = `${who}@aurora.example`;
    await signIn(watched, { ...from, email, password: "not the password" }, false);
    asked.push(statements.splice(0));
    costs.push(vi.mocked(verify).mock.calls.map(([stored]) => costOf(String(stored))));
  }
  expect(asked[0]).not.toEqual([]);
  expect(asked).toEqual(asked.map(() => asked[0]));
  const { memoryCost, timeCost, parallelism } = hashCost;
  const cost = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}`;
  expect(costs).toEqual(costs.map(() => [cost]));
});

/** Of a PHC text: without salt and hash. */
const costOf = (stored: string) => stored.split("$").slice(0, 4).join("$");

it("lets the person in from a device of theirs while strangers keep guessing (threat: locking somebody out)", async () => {
  // Works on a slow machine: a wait must not end before the test reads it.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const first = await attempt("ana@aurora.example");
  if (first.outcome !== "signed_in") throw new Error("refused");
  for (let n = 0; n < 5; n++) await attempt("ana@aurora.example", "not the password");
  expect(await attempt("ana@aurora.example")).toMatchObject({ outcome: "throttled" });
  const own = await attempt("ana@aurora.example", password, false, first.device);
  expect(own).toMatchObject({ outcome: "signed_in" });
  const stranger = await attempt("dora@aurora.example", password, false, first.device);
  expect(stranger).toMatchObject({ outcome: "refused" });
  expect(await attempt("ana@aurora.example")).toMatchObject({ outcome: "throttled" });
});

it("accepts the demo's password in the demo only (threat: a public password in production)", async () => {
  await setPassword("ana", await hashPassword(demoPassword, hashOfProgram));
  for (const typed of [demoPassword, "ｇancho-demo-only"])
    expect(await attempt("ana@aurora.example", typed)).toMatchObject({ outcome: "refused" });
  expect((await attempt("ana@aurora.example", demoPassword, true)).outcome).toBe("signed_in");
});

it("lets a person sign in thirty times an hour from one network, and records no more (threat: filling the history by signing in)", async () => {
  const entries = () => db.selectFrom("history").select("seq").execute();
  vi.mocked(verify).mockImplementation(async () => true);
  for (let n = 0; n < 30; n++)
    expect((await attempt("ana@aurora.example")).outcome).toBe("signed_in");
  const before = await entries();
  expect(await attempt("ana@aurora.example")).toMatchObject({
    outcome: "throttled",
    userId: "ana",
  });
  expect(await entries()).toEqual(before);
  const given = { email: "ana@aurora.example", password, ...from, clientAddress: "198.51.100.1" };
  expect((await signIn(db, given, false)).outcome).toBe("signed_in");
  vi.mocked(verify).mockImplementation(check);
});

it("hashes nothing once a person has signed in that often (threat: hashes without end by one's own right password)", async () => {
  vi.mocked(verify).mockImplementation(async () => true);
  onTestFinished(() => void vi.mocked(verify).mockImplementation(check));
  const first = await attempt("ana@aurora.example");
  if (first.outcome !== "signed_in") throw new Error("refused");
  const from = (n: number) => ({ requestId: "q1", clientAddress: `192.0.2.${n}`, userAgent: null });
  const hashes = async (times: number, device?: string) => {
    vi.mocked(verify).mockClear();
    const given = { email: "ana@aurora.example", password, device };
    // A known browser is counted wherever it is.
    for (let n = 0; n < times; n++) await signIn(db, { ...given, ...from(device ? n : 7) }, false);
    return vi.mocked(verify).mock.calls.length;
  };
  expect(await hashes(40)).toBe(29);
  expect(await hashes(40, first.device)).toBe(30);
});

describe("confirming the password in an open session", () => {
  const confirm = (typed = password, idHash = "hash of the session") =>
    checkPassword(
      db,
      { email: "ana@aurora.example", password: typed, ...from },
      { isDemo: false, session: { userId: "ana", idHash } },
    );

  it("works while strangers keep guessing, in any browser (threat: keeping a person from a step-up)", async () => {
    for (let n = 0; n < 6; n++) await attempt("ana@aurora.example", "not the password");
    expect(await attempt("ana@aurora.example")).toMatchObject({ outcome: "throttled" });
    expect(await confirm()).toMatchObject({ outcome: "right" });
  });

  it("works while the thief of another session keeps guessing", async () => {
    for (let n = 0; n < 5; n++) await confirm("a wrong guess", "hash of the thief's");
    expect(await confirm(password, "hash of the thief's")).toMatchObject({ outcome: "throttled" });
    expect(await confirm()).toMatchObject({ outcome: "right" });
  });

  it("hashes as often as a person needs, in all their sessions together (threat: hashes without end by one's own right password)", async () => {
    vi.mocked(verify).mockClear();
    vi.mocked(verify).mockImplementation(async () => true);
    onTestFinished(() => void vi.mocked(verify).mockImplementation(check));
    for (let n = 0; n < 70; n++) await confirm(password, `session ${n % 2}`);
    expect(verify).toHaveBeenCalledTimes(60);
    expect(await attempt("ana@aurora.example")).toMatchObject({ outcome: "signed_in" });
  });
});

it("logs the account and the address of an attempt that was refused unchecked (threat: guessing unnoticed)", async () => {
  const warned = vi.spyOn(log, "warn");
  for (let n = 0; n < 6; n++) await attempt("ana@aurora.example", "a wrong guess");
  expect(warned).toHaveBeenLastCalledWith(
    { requestId: "q1", outcome: "throttled", userId: "ana", clientAddress: "192.0.2.7" },
    "sign-in",
  );
});
