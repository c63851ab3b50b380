import { expect, it } from "vitest";
import { deviceOwner, newGeneration, rememberDevice } from "./known-device";
import { codeAt, stepAt, fromBase32 } from "@/lib/platform/auth/codes/totp";
import {
  beginEnrolment,
  confirmEnrolment,
  forgetCodes,
} from "@/lib/platform/auth/codes/one-time-codes";
import { pendingLifeMs, startPendingSignIn } from "./pending-sign-in";
import { resetCodes } from "@/lib/platform/auth/reset-at-terminal";
import { endSessionsOf, findSession, startSession } from "@/lib/platform/auth/sessions/sessions";
import { completeSignIn } from "./complete-sign-in";
import { signIn } from "./sign-in";
import { amongPeople, db, enrol, password } from "@/lib/platform/auth/testing/database-with-people";

amongPeople();

const from = { requestId: "q1", clientAddress: "192.0.2.7", userAgent: null };

/** What a browser has once Ana's password was right in it; the first test shows how it gets that. */
const firstStep = () => startPendingSignIn(db, "ana");

const secondStep = (pendingId: string | undefined, code: string, device?: string, now?: number) =>
  completeSignIn(db, { ...from, pendingId, code, device }, now);

/** The outcome of a code, typed after the password. */
const enter = async (code: string, device?: string) =>
  (await secondStep(await firstStep(), code, device)).outcome;

const attempt = (typed = password, email = "ana@aurora.example") =>
  signIn(db, { email, password: typed, ...from }, false);

it("signs nobody in before the code, and the person with it", async () => {
  const { code } = await enrol("ana");
  const first = await attempt();
  if (first.outcome !== "code_required") throw new Error(first.outcome);
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
  const result = await secondStep(first.pendingId, code(1));
  if (result.outcome !== "signed_in") throw new Error(result.outcome);
  expect(await findSession(db, result.sessionId)).toMatchObject({ userId: "ana" });
});

it("answers a wrong password alike with codes and without (threat: finding out who has codes)", async () => {
  await enrol("ana");
  for (const email of ["ana@aurora.example", "nobody@aurora.example"])
    expect((await attempt("not the password", email)).outcome).toBe("refused");
});

it("accepts a code once, also from concurrent requests (threat: a code replayed within its window)", async () => {
  const { code } = await enrol("ana");
  expect(await enter(code(0))).toBe("refused");
  const race = await Promise.all([1, 1, 1].map((steps) => enter(code(steps))));
  expect(race.sort()).toEqual(["refused", "refused", "signed_in"]);
  expect(await enter(code(1))).toBe("refused");
  expect(await enter(code(0))).toBe("refused");
});

it("accepts no code of another person (threat: one's own app for another account)", async () => {
  const { recoveryCodes, code } = await enrol("sso");
  await enrol("ana");
  for (const given of [code(1), recoveryCodes[0] ?? ""]) expect(await enter(given)).toBe("refused");
});

it("accepts each recovery code once in place of a code, however it is typed (threat: a list that was seen)", async () => {
  const { recoveryCodes } = await enrol("ana");
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = "", second = ""] = recoveryCodes;
  expect(first).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const written = ` ${first.toLowerCase().replaceAll("-", " ")} `;
  expect(await enter(written)).toBe("signed_in");
  expect(await enter(first)).toBe("refused");
  expect(await enter(second)).toBe("signed_in");
});

it("continues in the same browser only (threat: a pending sign-in used from elsewhere)", async () => {
  const { code } = await enrol("ana");
  await firstStep();
  const rows = await db.selectFrom("pending_sign_ins").selectAll().execute();
  for (const id of [undefined, "x".repeat(43), rows[0]?.id_hash])
    expect(await secondStep(id, code(1))).toEqual({ outcome: "over" });
});

it("requires the password again after five minutes or five tries", async () => {
  const now = Date.now();
  const { code } = await enrol("ana", now);
  const late = now + pendingLifeMs + 5_000;
  expect(await secondStep(await firstStep(), code(10), undefined, late)).toEqual({
    outcome: "over",
  });
  const pending = await firstStep();
  for (let n = 0; n < 5; n++)
    expect((await secondStep(pending, "000000x")).outcome).not.toBe("over");
  expect(await secondStep(pending, code(1))).toEqual({ outcome: "over" });
});

it("is used up by the sign-in it led to (threat: the cookie of the second step to bypass the first)", async () => {
  const { code } = await enrol("ana");
  const pending = await firstStep();
  await secondStep(pending, code(1));
  expect(await secondStep(pending, code(2))).toEqual({ outcome: "over" });
});

it("throttles guesses from any browser, but not the person on a known device (threat: guessed codes)", async () => {
  const { code } = await enrol("ana");
  const outcomes: string[] = [];
  for (let n = 0; n < 6; n++) outcomes.push(await enter("abc"));
  expect(outcomes).toEqual([...Array<string>(5).fill("refused"), "throttled"]);
  expect(await enter(code(1))).toBe("throttled");
  expect(await enter(code(1), rememberDevice(await deviceOwner(db, "ana")))).toBe("signed_in");
});

it("lets nobody guess more than twenty times a day, however many marks they have (threat: a fresh count for every mark, or new password)", async () => {
  await enrol("ana");
  let now = Date.now();
  let looked = 0;
  for (let n = 0; n < 60; n++) {
    // A fresh mark for every second guess, far enough apart that no wait applies.
    now += 6 * 60_000;
    await newGeneration(db, "ana");
    const mark = n % 2 ? rememberDevice(await deviceOwner(db, "ana"), now) : undefined;
    const first = await startPendingSignIn(db, "ana", now);
    if ((await secondStep(first, "abc", mark, now)).outcome === "refused") looked++;
  }
  expect(looked).toBe(20);
});

it("ends when the person is signed out everywhere, or loses access", async () => {
  const { code } = await enrol("ana");
  const pending = await firstStep();
  await endSessionsOf(db, "ana", "ended_elsewhere");
  expect(await secondStep(pending, code(1))).toEqual({ outcome: "over" });
  const other = await firstStep();
  await db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", "ana").execute();
  expect(await secondStep(other, code(1))).toEqual({ outcome: "over" });
});

it("is not required while no code has confirmed the secret, nor once codes are removed", async () => {
  const now = Date.now();
  const text = (await beginEnrolment(db, "ana", now)) ?? "";
  const first = codeAt(fromBase32(text), stepAt(now));
  expect((await attempt()).outcome).toBe("signed_in");
  expect(await confirmEnrolment(db, "ana", "000000x", now)).toEqual({ outcome: "wrong" });
  const late = await confirmEnrolment(db, "ana", first, now + 31 * 60_000);
  expect(late).toEqual({ outcome: "over" });
  expect((await confirmEnrolment(db, "ana", first, now)).outcome).toBe("confirmed");
  expect(await beginEnrolment(db, "ana", now)).toBeNull();
  expect((await attempt()).outcome).toBe("code_required");
  expect(await forgetCodes(db, "ana")).toBe(true);
  expect((await attempt()).outcome).toBe("signed_in");
  expect(await db.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
});

it("keeps the secret sealed for its own row, and of recovery codes only hashes (threat: a stolen database)", async () => {
  const text = (await beginEnrolment(db, "ana")) ?? "";
  const { recoveryCodes } = await enrol("sso");
  const rows = JSON.stringify([
    await db.selectFrom("one_time_codes").selectAll().execute(),
    await db.selectFrom("recovery_codes").selectAll().execute(),
  ]);
  expect(rows).not.toContain(text);
  expect(recoveryCodes.some((code) => rows.includes(code.replaceAll("-", "")))).toBe(false);
  const kept = db.selectFrom("one_time_codes").select("secret_ciphertext");
  const moved = await kept.where("user_id", "=", "sso").executeTakeFirstOrThrow();
  await db.updateTable("one_time_codes").set(moved).where("user_id", "=", "ana").execute();
  await expect(confirmEnrolment(db, "ana", "123456")).rejects.toThrow("does not open");
});

it("can be reset by the operator, which signs the person out", async () => {
  await enrol("ana");
  const session = await startSession(db, "ana", from);
  const other = await startSession(db, "sso", from);
  expect(await resetCodes(db, "nobody@aurora.example")).toBe("nobody");
  expect(await resetCodes(db, "sso@aurora.example")).toBe("none");
  expect(await findSession(db, other)).not.toBeNull();
  expect(await resetCodes(db, "ana@aurora.example")).toBe("reset");
  expect(await findSession(db, session)).toBeNull();
  expect((await attempt()).outcome).toBe("signed_in");
});
