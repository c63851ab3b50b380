import { verifyChain } from "@/lib/history/server/verify/verify";
import { people } from "@/lib/platform/secrets/model/people";
import { peopleEntries, peopleKinds } from "@/lib/history/testing/people-entries";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { completeSignIn } from "@/lib/platform/auth/sign-in/complete-sign-in";
import { admit, type ProviderSignIn } from "@/lib/platform/auth/oidc/admit";
import { refuseSingleSignOn } from "@/lib/platform/auth/oidc/handle";
import { startPendingSignIn } from "@/lib/platform/auth/sign-in/pending-sign-in";
import { resetCodes, unlinkAccount } from "./reset-at-terminal";
import { sessionLife, startSession } from "@/lib/platform/auth/sessions/sessions";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { signOutSession } from "@/lib/platform/auth/sessions/sign-out";
import { amongPeople, db, enrol, password } from "@/lib/platform/auth/testing/database-with-people";

amongPeople();

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const caller = { requestId: "q1", clientAddress: "192.0.2.7", userAgent };
const browser = { browser: "Firefox", system: "Linux" };

const attempt = (email: string, typed = password, device?: string) =>
  signIn(db, { ...caller, email, password: typed, device }, false);

const arrive = (
  subject: string,
  verifiedEmail: string | null,
  more: Partial<ProviderSignIn> = {},
) =>
  admit(db, {
    identity: { issuer: "https://id.example", subject, verifiedEmail, name: null },
    staffRole: undefined,
    partners: undefined,
    origin: caller,
    ...more,
  });

it("records who signed in, how, in which browser and from where, and whether it was known", async () => {
  const first = await attempt("ana@aurora.example");
  if (first.outcome !== "signed_in") throw new Error(first.outcome);
  await attempt("ana@aurora.example", password, first.device);
  const entry = {
    kind: "signed_in",
    outcome: null,
    who: "ana",
    from: "192.0.2.7",
    requestId: "q1",
    detail: {
      by: "password",
      code: null,
      recoveryCodesLeft: null,
      knownBrowser: false,
      ...browser,
    },
  };
  expect(await peopleEntries(db)).toEqual([
    entry,
    { ...entry, detail: { ...entry.detail, knownBrowser: true } },
  ]);
});

it("starts no session that it cannot record (threat: a session without a trace)", async () => {
  await sql`alter table history_heads rename to elsewhere`.execute(db);
  await expect(attempt("ana@aurora.example")).rejects.toThrow();
  await expect(arrive("a-1", "ana@aurora.example")).rejects.toThrow();
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
});

it("records each refusal and why, without a name for an unknown address, and nothing typed (threat: a password typed into the field for the address)", async () => {
  const typed = "my own long secret phrase";
  for (const email of ["ana@aurora.example", typed, "dora@aurora.example", "sso@aurora.example"])
    expect(await attempt(email, typed)).toMatchObject({ outcome: "refused" });
  const detail = { failure: null, blockedSeconds: null, ...browser };
  const entry = { kind: "sign_in_refused", from: "192.0.2.7", requestId: "q1", detail };
  expect(await peopleEntries(db)).toEqual([
    { ...entry, who: "ana", outcome: "wrong_password" },
    { ...entry, who: null, outcome: "unknown_person" },
    { ...entry, who: "dora", outcome: "disabled" },
    { ...entry, who: "sso", outcome: "no_password" },
  ]);
  const rows = await db.selectFrom("history").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(typed);
});

it("records when further attempts are blocked, and writes no entry for those (threat: filling the disk)", async () => {
  for (let n = 0; n < 9; n += 1) await attempt("nobody@aurora.example", "not the password");
  const entries = await peopleEntries(db);
  expect(entries.map(({ detail }) => detail)).toMatchObject([
    ...Array.from({ length: 4 }, () => ({ blockedSeconds: null })),
    { blockedSeconds: 2 },
  ]);
});

it("records for a second step that its password was correct, which code was given, and what was wrong", async () => {
  const now = Date.now();
  const { code: codeIn, recoveryCodes } = await enrol("ana", now);
  const step = (pendingId: string, code: string) =>
    completeSignIn(db, { ...caller, pendingId, code, device: undefined }, now);
  const first = await attempt("ana@aurora.example");
  if (first.outcome !== "code_required") throw new Error(first.outcome);
  await step(first.pendingId, "not a code");
  await step(first.pendingId, codeIn(1));
  await step(await startPendingSignIn(db, "ana"), recoveryCodes[0] ?? "");
  const signedIn = { kind: "signed_in", who: "ana" };
  expect(await peopleEntries(db)).toMatchObject([
    { kind: "sign_in_begun", who: "ana", detail: { knownBrowser: false, ...browser } },
    { kind: "sign_in_refused", who: "ana", outcome: "wrong_code" },
    { ...signedIn, detail: { by: "password", code: "one_time_code", recoveryCodesLeft: null } },
    { ...signedIn, detail: { by: "password", code: "recovery_code", recoveryCodesLeft: 9 } },
  ]);
});

it("records who signed out, once, and no session that expires", async () => {
  const [left, replaced] = [
    await startSession(db, "ana", caller),
    await startSession(db, "ana", caller),
  ];
  const over = await startSession(db, "ana", caller, { now: Date.now() - sessionLife.idle });
  await signOutSession(db, left, "signed_out", caller);
  await signOutSession(db, left, "signed_out", caller);
  await signOutSession(db, replaced, "replaced", caller);
  await signOutSession(db, over, "replaced", caller);
  expect(await peopleKinds(db, "ana")).toEqual(["signed_out: signed_out", "signed_out: replaced"]);
});

it("records for single sign-on who signed in, who was refused and why, and the staff role that the provider gave", async () => {
  await arrive("a-1", "ana@aurora.example", { staffRole: "support" });
  const other = await arrive("a-2", "ana@aurora.example");
  if (other.outcome !== "refused") throw new Error(other.outcome);
  await refuseSingleSignOn(db, { failure: other.reason, person: other.person }, caller);
  await refuseSingleSignOn(db, { failure: "failed", person: null }, caller);
  expect(await peopleEntries(db)).toMatchObject([
    { kind: "account_linked", who: "ana", detail: { userId: "ana" } },
    { kind: "staff_role_changed", who: "ana", detail: { before: null, after: "support" } },
    { kind: "signed_in", who: "ana", detail: { by: "single_sign_on", ...browser } },
    { outcome: "single_sign_on", who: "ana", detail: { failure: "other_account" } },
    { outcome: "single_sign_on", who: null, detail: { failure: "failed" } },
  ]);
});

it("records what was done at the terminal, and to whom", async () => {
  await enrol("ana");
  await resetCodes(db, "ana@aurora.example");
  await resetCodes(db, "ana@aurora.example");
  await unlinkAccount(db, "ana@aurora.example");
  const entry = {
    who: null,
    from: null,
    detail: { userId: "ana", name: "Ana", email: "ana@aurora.example" },
  };
  expect(await peopleEntries(db)).toMatchObject([
    { ...entry, kind: "one_time_codes_reset" },
    { ...entry, kind: "account_unlinked" },
  ]);
});

it("stays one chain when many sign in and out at once", async () => {
  const arrivals = await Promise.all(
    ["ana", "sso"].flatMap((who) =>
      Array.from({ length: 6 }, async () => {
        const admission = await arrive(who, `${who}@aurora.example`);
        if (admission.outcome !== "signed_in") throw new Error(admission.reason);
        await signOutSession(db, admission.sessionId, "signed_out", caller);
      }),
    ),
  );
  expect(arrivals).toHaveLength(12);
  const report = await verifyChain(db, people, []);
  expect(report).toEqual({
    partnerId: people, // Two of them are linked to their accounts meanwhile.
    entries: 26,
    fault: null,
    removal: null,
  });
});
