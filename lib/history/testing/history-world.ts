import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { insert, inTransaction } from "@/lib/platform/database/testing/rows";
import type { Database } from "@/lib/platform/database/tables";
import { PostgresAdapter, sql, type Insertable } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { recordHistory, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { insertMember, insertUser } from "@/lib/webhooks/testing/rows";

/** A real database for one test file, and its configuration. */
export async function startHistoryWorld(): Promise<void> {
  await configure({
    PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:9,production=http://127.0.0.1:9",
  });
  const { id, name } = marina;
  await insertUser(db(), { id, name, email: "marina@aurora.example" });
}

export async function newPartner(): Promise<string> {
  const id = `p-${randomBytes(6).toString("hex")}`;
  await insert("partners", { id, name: `Partner ${id}`, created_at: Date.now() });
  return id;
}

/** The user id of a new person with this role. */
export async function newPerson(partnerId: string, role: PartnerRole): Promise<string> {
  const id = await insertUser(db(), { name: `The ${role}` });
  await insertMember(db(), partnerId, id, role);
  return id;
}

export const marina = { id: "marina", name: "Marina Castro", clientAddress: "192.0.2.7" };

const state = (path: string, fingerprint: string | null = "9c41e07d".repeat(8)) => ({
  callbackUrl: `https://hooks.example.com/${path}`,
  fingerprint,
});

/** The required columns of a change, an invitation or a session; the caller gives others. */
export const aChange = (
  partner_id: string,
  given: Partial<Insertable<Database["changes"]>> = {},
): Insertable<Database["changes"]> => ({
  id: randomUUID(),
  partner_id,
  environment: "sandbox",
  kind: "webhooks",
  state: "sent",
  author_id: marina.id,
  created_at: Date.now(),
  request_id: "r",
  base_url: "http://127.0.0.1:9",
  client_id: "c",
  ...given,
});

export const anInvitation = (
  partner_id: string,
  given: Partial<Insertable<Database["invitations"]>> = {},
): Insertable<Database["invitations"]> => ({
  id: randomUUID(),
  partner_id,
  token_hash: randomUUID(),
  email: "bia@new.example",
  role: "editor",
  invited_by_id: marina.id,
  created_at: 1,
  expires_at: Date.now() + 1e9,
  ...given,
});

export const aSession = (
  user_id: string,
  given: Partial<Insertable<Database["sessions"]>> = {},
): Insertable<Database["sessions"]> => ({
  id_hash: randomUUID(),
  user_id,
  absolute_expires_at: Date.now(),
  signed_in_at: 1,
  last_seen_at: 1,
  ...given,
});

/** A look showed what a save of Pix in had asked for; any part can be another. */
export const aSave = (
  partnerId: string,
  other: Partial<Extract<NewHistoryEntry, { kind: "save_shown" }>> = {},
): NewHistoryEntry => ({
  partnerId,
  environment: "sandbox",
  kind: "save_shown",
  types: ["pix_in"],
  actor: marina,
  requestId: "a1b2c3",
  outcome: "saved",
  detail: {
    saveId: "s",
    changes: [{ type: "pix_in", outcome: "saved", before: state("old"), after: state("new") }],
  },
  ...other,
});

/** What the service answered to a save of Pix in; any part can be another. */
export const aSent = (
  partnerId: string,
  other: Partial<Extract<NewHistoryEntry, { kind: "save_sent" }>> = {},
): NewHistoryEntry => ({
  partnerId,
  environment: "sandbox",
  kind: "save_sent",
  types: ["pix_in"],
  actor: marina,
  requestId: "a1b2c3",
  outcome: "accepted",
  detail: {
    saveId: "s",
    problem: null,
    changes: [{ type: "pix_in", outcome: "accepted", before: state("old"), after: state("new") }],
  },
  ...other,
});

/** Somebody pressed save; other entries say what was answered and shown. */
export const anAttempt = (partnerId: string, requestId: string): NewHistoryEntry => ({
  partnerId,
  environment: "sandbox",
  kind: "save_attempt",
  types: ["pix_in"],
  actor: marina,
  requestId,
  outcome: null,
  detail: { saveId: "s", desired: [{ type: "pix_in", state: state("new") }] },
});

/** Records of saves that were sent; `saves` overrides their columns. */
export async function openSaves(
  partner_id: string,
  ...saves: Partial<Insertable<Database["changes"]>>[]
): Promise<void> {
  const own = { id: partner_id, partner_id, environment: "sandbox", client_id: "c" };
  const made = { secret_ciphertext: "", version: 1, updated_at: 1 };
  await insert("connections", { ...own, ...made });
  const sent = { connection_id: partner_id, state: "sent" } as const;
  const empty = { desired_json: "[]", before_json: "[]" };
  const changes = saves.map((save) => aChange(partner_id, { ...sent, ...empty, ...save }));
  await insert("changes", ...changes);
}

/** Another client of the service removed the Authorization value of Pix out. */
export const aChangeOutside = (partnerId: string): NewHistoryEntry => ({
  partnerId,
  environment: "sandbox",
  kind: "changed_outside",
  types: ["pix_out"],
  actor: null,
  requestId: null,
  outcome: "seen",
  detail: {
    changes: [
      { type: "pix_out", outcome: "seen", before: state("out"), after: state("out", null) },
    ],
    lastLookedAt: 1,
  },
});

/**
 * Records entries in this order, in one transaction. Not one by one: PostgreSQL keeps each version of the chain's head
 * until the end of a transaction, and searches all of them at the next entry. As many at once as a statement may have values.
 */
export const record = (...entries: NewHistoryEntry[]): Promise<void> =>
  inTransaction(async (trx) => {
    for (let at = 0; at < entries.length; at += 1_000)
      await recordHistory(trx, ...entries.slice(at, at + 1_000));
  });

const part = 10_000;

/** Inserts many entries at once, unsealed: for tests of the cost of reading. */
export async function longHistory(partnerId: string, length: number): Promise<void> {
  const change = {
    type: "pix_in",
    outcome: "saved",
    before: state("old"),
    after: state("new"),
  };
  const detail = JSON.stringify({ saveId: "s", problem: null, changes: [change] });
  // In parts that each fit a statement's timeout, also on a busy machine.
  for (let first = 1; first <= length; first += part)
    await sql`
    insert into history
      (partner_id, seq, id, environment, at, kind, types, actor_id, client_address,
       request_id, outcome, detail_json, mac)
    with recursive places(seq) as (
      select ${sql.lit(first)} union all select seq + 1 from places
        where seq < ${Math.min(length, first + part - 1)}
    )
    select ${partnerId}, seq, ${partnerId} || '-' || seq, 'sandbox', 1700000000000 + seq, 'save', 'pix_in',
      'marina', '192.0.2.7', 'r', 'saved', ${detail}, '-'
    from places`.execute(db());
}

/** What somebody with the database's own password, or its file, can do. */
export async function dropTheTriggers(): Promise<void> {
  if (db().getExecutor().adapter instanceof PostgresAdapter) {
    await sql`alter table history disable trigger all`.execute(db());
    return;
  }
  for (const name of ["history_no_update", "history_no_delete", "history_no_replace"])
    await sql`drop trigger if exists ${sql.id(name)}`.execute(db());
}
