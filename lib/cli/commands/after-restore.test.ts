import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { configure } from "@/lib/platform/database/testing/configure";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import { aSave } from "@/lib/history/testing/history-world";
import { recordHistory, atTheTerminal, recordPerson } from "@/lib/history/server/record/record";
import { insertPartner } from "@/lib/partners/server/change-partner";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { takeChallenge } from "@/lib/platform/auth/passkeys/webauthn";
import { endPasswordLinksOf, issuePasswordLink } from "@/lib/platform/auth/passwords/password-link";
import {
  endSession,
  findSession,
  startSession,
  whySessionEnded,
} from "@/lib/platform/auth/sessions/sessions";
import { deviceOwner, knownDevice, rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import { startPendingSignIn, countCodeAttempt } from "@/lib/platform/auth/sign-in/pending-sign-in";
import { isPostgres, openDatabase, type Db } from "@/lib/platform/database/open";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { insertWith } from "@/lib/platform/database/testing/rows";
import { postgresPrograms } from "@/lib/platform/database/testing/postgres-server";
import { createInvitation } from "@/lib/team/server/invitations/create-invitation";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";

const folder = newFolder();
const anchors = `${folder}/history-anchor.jsonl`;
const partnerId = "aurora";
const person = { userId: "ana", name: "Ana", email: "ana@aurora.example" };
const byNobody = { environment: null, types: [], actor: null, requestId: null, outcome: null };
let url: string;

beforeAll(async () => {
  url = await migratedDatabaseUrl();
  await configure({
    DATABASE_URL: url,
    GANCHO_DATA_DIR: folder,
    PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:9,production=http://127.0.0.1:9",
  });
});

async function gancho(...words: string[]): Promise<string> {
  const { code, out, err } = await runGancho(words);
  expect({ code, err }, words.join(" ")).toEqual({ code: 0, err: "" });
  return out;
}

async function inDatabase<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = openDatabase(url);
  return work(db).finally(() => db.destroy());
}

/** What docs/operate.md describes. */
async function backUp(): Promise<void> {
  if (!isPostgres(url)) return void (await gancho("backup", `${folder}/backup`));
  copyFileSync(anchors, `${folder}/backup.anchors`);
  postgres("pg_dump", "--format=custom", `--file=${folder}/backup`, url);
}

/** Returns what the command printed. */
async function restore(): Promise<string> {
  if (isPostgres(url))
    postgres("pg_restore", "--clean", "--if-exists", `--dbname=${url}`, `${folder}/backup`);
  else {
    const file = url.replace(/^file:/, "");
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    copyFileSync(`${folder}/backup`, file);
  }
  renameSync(anchors, `${folder}/newer-anchor.jsonl`);
  copyFileSync(`${folder}/backup.anchors`, anchors);
  return gancho("after-restore", "--yes");
}

function postgres(program: string, ...words: string[]): void {
  execFileSync(path.join(postgresPrograms() ?? "", program), words, { stdio: "pipe" });
}

const entries = (chain: string) =>
  inDatabase((db) => {
    const all = db.selectFrom("history").select(["id", "kind", "seq"]);
    return all.where("partner_id", "=", chain).orderBy("seq").execute();
  });

const clientData = (challenge: string) =>
  Buffer.from(JSON.stringify({ challenge })).toString("base64url");
const asked = { purpose: "sign_in", boundTo: "this browser" } as const;

/** Everything that a restored backup may reopen. */
async function open(db: Db) {
  await db.transaction().execute(async (trx) => {
    await insertPartner(trx, { id: partnerId, name: "Loja Aurora" });
    const { userId: id, email, name } = person;
    await insertUser(trx, { id, email, name, password_hash: "x" });
  });
  const from = { clientAddress: null, userAgent: null };
  const { userId } = person;
  const ended = await startSession(db, userId, from);
  const idle = await startSession(db, userId, from);
  const pending = await startPendingSignIn(db, userId);
  const challenge = randomBytes(32).toString("base64url");
  const hashes = { challenge_hash: hashOf(challenge), bound_to_hash: hashOf(asked.boundTo) };
  const begun = { ...hashes, purpose: asked.purpose, expires_at: Date.now() + 60_000 };
  await insertWith(db, "passkey_challenges", [begun]);
  const { email, generation } = await deviceOwner(db, userId);
  // The second one is from after the backup, when a new password had been chosen.
  const marks = [0, 1].map((more) => rememberDevice({ email, generation: generation + more }));
  await db.transaction().execute(async (trx) => {
    const by = { partnerId, invitedBy: { id: userId, name: "Ana" } };
    const invite = { email: "bia@new.example", role: "editor", ...by } as const;
    const { row } = await createInvitation(trx, invite);
    const detail = { invitationId: row.id, email: row.email, role: row.role };
    await recordHistory(trx, { ...byNobody, partnerId, kind: "member_invited", detail });
    await issuePasswordLink(trx, userId, "made");
    await insertWith(trx, "captures", [
      {
        id: "capture",
        partner_id: partnerId,
        environment: "sandbox",
        type: "pix_in",
        token_hash: hashOf("token"),
        token_ciphertext: "sealed",
        since: Date.now(),
        expires_at: Date.now() + 60_000,
        arrived: 0,
        timed_save_id: null,
      },
    ]);
    const entry = { ...atTheTerminal, kind: "password_link_made", detail: person } as const;
    await recordPerson(trx, { ...entry, outcome: "terminal" });
  });
  return { ended, idle, pending, challenge, marks };
}

it("ends what a restored backup has open, and records in each history where it went back (threat: a used link works again)", async () => {
  const were = await inDatabase(open);
  const kept = await entries(partnerId);
  await backUp();
  await inDatabase(async (db) => {
    await endSession(db, were.ended);
    await endPasswordLinksOf(db, person.userId, Date.now());
    await db.updateTable("invitations").set({ revoked_at: Date.now() }).execute();
    for (let i = 0; i < 3; i += 1)
      await db.transaction().execute((trx) => recordHistory(trx, aSave(partnerId)));
  });
  const before = await entries(partnerId);

  expect(await restore()).toContain(
    "(sessions: 2, password links: 1, invitations: 1, changes that waited for approval: 0, links that confirm an alert address: 0, receiving addresses: 1)",
  );

  await inDatabase(async (db) => {
    for (const id of [were.ended, were.idle]) {
      expect(await findSession(db, id)).toBeNull();
      expect(await whySessionEnded(db, id)).toBe("restored");
    }
    expect(await countCodeAttempt(db, were.pending)).toBeNull();
    expect(await takeChallenge(db, asked, clientData(were.challenge), Date.now())).toBeNull();
    const owner = await deviceOwner(db, person.userId);
    expect(were.marks.map((mark) => knownDevice(mark, owner))).toEqual([null, null]);
    const invitations = await db.selectFrom("invitations").select("revoked_at").execute();
    expect(invitations).toEqual([{ revoked_at: expect.any(Number) }]);
    const links = await db.selectFrom("password_links").select("used_at").execute();
    expect(links).toEqual([{ used_at: expect.any(Number) }]);
  });
  // The rows too: each change is in the history.
  expect(await gancho("verify-history")).toContain("Nothing wrong was found up to");

  const lost = before.slice(kept.length);
  const since = (await entries(partnerId)).slice(kept.length);
  expect(since).toMatchObject([
    { seq: lost[0]?.seq, kind: "history_restored" },
    { kind: "invitation_revoked" },
  ]);
  expect(lost.map(({ id }) => id)).not.toContain(since[0]?.id);
  expect((await entries("@people")).at(-1)?.kind).toBe("installation_restored");
});

it.each([
  ["after-restore", "--yes"],
  ["erase-person", "ana@aurora.example"],
  ["four-eyes-off", "--partner", partnerId, "--reason", "Asked for"],
  ["prune-history", "--yes"],
  ["reset-access", "ana@aurora.example", "--password"],
  ["rotate-keys"],
  ["rotate-keys", "--check"],
  ["verify-history"],
])(
  "%s makes no database where there is none (threat: a restore that failed passes for done)",
  async (...words) => {
    const missing = `${newFolder()}/gancho.db`;
    const { code, err } = await runGancho(words, {
      DATABASE_URL: `file:${missing}`,
      RETAIN_HISTORY_DAYS: "365",
    });
    expect(code).not.toBe(0);
    expect(err).toContain(`there is no database at file:${missing}; nothing was done`);
    expect(existsSync(missing)).toBe(false);
  },
);
