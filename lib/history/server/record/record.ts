import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { afterCommit } from "@/lib/platform/database/tracked";
import { env } from "@/lib/platform/env/env";
import { lockPerson } from "@/lib/platform/database/row-locks";
import type { Database, HistoryRow } from "@/lib/platform/database/tables";
import { noteEntry } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log/log";
import { countEntry } from "@/lib/platform/metrics/metrics";
import { erasedAddress, people } from "@/lib/platform/secrets/model/people";
import { withNames } from "@/lib/history/model/names";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import { sql, type Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { appendAnchor, type ChainEnd } from "@/lib/history/server/verify/anchor-file";
import { canonicalRow } from "./chain";
import { enqueueAlertFor } from "./alerts";
import { fullAuditOf } from "./full-audit";
import type { HistoryDetail, HistoryKind, PeopleKind } from "@/lib/history/model/entry";

/**
 * Who did it, and from where. null stands for a client of the service that is not Gancho, for Gancho itself or its
 * terminal, and for a sign-in attempt by an unknown person.
 */
export type Actor = { id: string; clientAddress: string | null };

/** The person of the request. */
export function actorOf(
  { id }: { id: string },
  { clientAddress }: Pick<Actor, "clientAddress">,
): Actor {
  return { id, clientAddress };
}

/** The origin of an entry; a program has no request. */
export type EntryOrigin = Pick<Actor, "clientAddress"> & { requestId: string | null };

/** The common fields of an entry that a person causes. Its environment, types and outcome follow where it has any. */
export function entryBase(
  { partner, viewer }: { partner: { id: string }; viewer: { id: string } },
  context: EntryOrigin,
) {
  return {
    partnerId: partner.id,
    environment: null,
    types: [],
    actor: actorOf(viewer, context),
    requestId: context.requestId,
    outcome: null,
  };
}

/** The same for entries without a person and a request. */
export const byNobody = {
  environment: null,
  types: [],
  actor: null,
  requestId: null,
  outcome: null,
};

export type NewHistoryEntry = {
  [Kind in HistoryKind]: {
    partnerId: string;
    environment: string | null;
    kind: Kind;
    types: readonly string[];
    actor: Actor | null;
    /** The IP address of an unknown person's attempt. */
    clientAddress?: string | null;
    requestId: string | null;
    outcome: string | null;
    /** Its names of people are not stored: their ids beside them are. */
    detail: HistoryDetail[Kind];
  };
}[HistoryKind];

/**
 * Appends entries to the partner's chain, in this order, inside the caller's transaction: the change and its record happen together
 * or not at all. Secret values never belong in `detail`. After the commit, and before its caller goes on, the new end
 * of the chain is noted outside the database and the entry is logged. Also enqueues the entry's alert (alerts.ts).
 */
export async function recordHistory(
  trx: Transaction<Database>,
  ...entries: NewHistoryEntry[]
): Promise<void> {
  // First, since others wait from `lockHeads` on until the commit.
  for (const entry of entries) await enqueueAlertFor(trx, entry);
  await recordInEach(trx, entries);
}

/** The same without alerts: entries of any number of chains, each chain's in this order. */
export async function recordInEach(
  trx: Transaction<Database>,
  entries: readonly NewHistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const chains = [...new Set(entries.map(({ partnerId }) => partnerId))];
  const ends = new Map(await lockHeads(trx, chains));
  const rows: (HistoryRow & { before: string })[] = [];
  for (const chain of chains) {
    const mac = await partnerMacs(trx, chain, "history");
    for (const entry of entries.filter(({ partnerId }) => partnerId === chain)) {
      const head = ends.get(chain) ?? { seq: 0, mac: "" };
      const row = sealEntry(entry, head, mac);
      ends.set(chain, row);
      rows.push({ ...row, before: head.mac });
    }
  }
  await trx
    .insertInto("history")
    .values(rows.map(({ before: _, ...row }) => ({ ...row, client_address: unlessErased(row) })))
    .execute();
  await trx
    .insertInto("history_heads")
    .values([...ends].map(([partner_id, { seq, mac }]) => ({ partner_id, seq, mac })))
    .onConflict((conflict) =>
      conflict.column("partner_id").doUpdateSet((eb) => ({
        seq: eb.ref("excluded.seq"),
        mac: eb.ref("excluded.mac"),
      })),
    )
    .execute();
  await afterCommit(trx, async () => {
    noteEntry();
    for (const entry of entries) countEntry(entry);
    for (const row of rows) log.info({ audit: auditOf(row) }, "recorded");
    await Promise.all(
      rows.map(({ partner_id: partner, seq, mac, before }) =>
        appendAnchor({ partner, seq, mac, before }),
      ),
    );
  });
}

/** For the log: neither a path, nor a value, nor a fingerprint. */
function auditOf(row: HistoryRow) {
  const { partner_id: chain, seq, kind, id, mac: seal } = row;
  // Whom it is about, by their account's id: after a restore, what was taken from them is to be taken again.
  const subject = row.subject_id ?? (chain === people ? row.actor_id : null);
  const about = subject === null ? {} : { subject };
  return { chain, seq, kind, id, ...about, seal, ...(env().fullAuditLog && fullAuditOf(row)) };
}

function sealEntry(
  entry: NewHistoryEntry,
  head: ChainEnd,
  mac: (text: string) => string,
): HistoryRow {
  const row = {
    partner_id: entry.partnerId,
    seq: head.seq + 1,
    id: randomUUID(),
    environment: entry.environment,
    at: databaseTime(),
    kind: entry.kind,
    types: entry.types.join(","),
    actor_id: entry.actor?.id ?? null,
    subject_id: "userId" in entry.detail ? entry.detail.userId : null,
    client_address: entry.actor ? entry.actor.clientAddress : (entry.clientAddress ?? null),
    request_id: entry.requestId,
    outcome: entry.outcome,
    detail_json: JSON.stringify(withNames(entry.detail, () => "")),
  };
  return { ...row, mac: mac(canonicalRow(row, head.mac)) };
}

/** A request that began before its person was erased must not bring their address back. */
function unlessErased({ actor_id, client_address }: HistoryRow) {
  if (actor_id === null || client_address === null) return client_address;
  return sql<string | null>`case when exists (
    select 1 from users where id = ${actor_id} and email = ${erasedAddress(actor_id)}
  ) then null else ${client_address} end`;
}

/**
 * The same for a row outside the history that keeps the address. The lock makes an erasure wait for this transaction,
 * unless it came first.
 */
export async function asKnownNow(trx: Transaction<Database>, actor: Actor): Promise<Actor> {
  const { email } = await lockPerson(trx, actor.id);
  return email === erasedAddress(actor.id) ? { ...actor, clientAddress: null } : actor;
}

/**
 * Writes before it reads, so that on both engines the second of two writers waits here and then sees the first one's
 * head.
 */
export async function lockHeads(
  trx: Transaction<Database>,
  chains: readonly string[],
): Promise<ReadonlyMap<string, ChainEnd>> {
  const heads = await trx
    .insertInto("history_heads")
    // Always in the same order, so that two callers cannot deadlock.
    .values([...chains].sort().map((partner_id) => ({ partner_id, seq: 0, mac: "" })))
    .onConflict((conflict) =>
      conflict.column("partner_id").doUpdateSet((eb) => ({ seq: eb.ref("history_heads.seq") })),
    )
    .returning(["partner_id", "seq", "mac"])
    .execute();
  return new Map(heads.map(({ partner_id, ...end }) => [partner_id, end]));
}

export type PersonEntry = {
  [Kind in PeopleKind]: {
    kind: Kind;
    /** null for an attempt by an unknown person, and for acts at the terminal. */
    who: { id: string } | null;
    clientAddress: string | null;
    requestId: string | null;
    outcome: string | null;
    detail: HistoryDetail[Kind];
  };
}[PeopleKind];

/** The operator at the terminal, without a request. */
export const atTheTerminal = { who: null, clientAddress: null, requestId: null } as const;

/**
 * Appends one entry to the chain of the people of the installation, inside the caller's transaction. Must be its last
 * step: every sign-in waits for the lock on this chain until the commit. Slow work after it would delay them all, and
 * taking another lock could deadlock.
 */
export async function recordPerson(trx: Transaction<Database>, entry: PersonEntry): Promise<void> {
  const { who, clientAddress, ...what } = entry;
  await recordHistory(trx, {
    ...what,
    partnerId: people,
    environment: null,
    types: [],
    actor: who && { id: who.id, clientAddress },
    clientAddress,
  });
}
