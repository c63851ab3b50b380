import "server-only";
import { afterCommit } from "@/lib/db/after-commit";
import type { Database } from "@/lib/db/schema";
import { partnerMac } from "@/lib/secrets/partner-mac";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { appendAnchor } from "./anchor-file";
import { canonicalRow } from "./canonical-row";
import type { HistoryDetail, HistoryKind } from "./entry";

/**
 * Who did it, and from where. null stands for a client of the service that is not Gancho, for Gancho itself or its
 * terminal, and for an attempt to sign in as nobody who is known here.
 */
export type Actor = { id: string; name: string; clientAddress: string | null };

export type NewHistoryEntry = {
  [Kind in HistoryKind]: {
    partnerId: string;
    environment: string | null;
    kind: Kind;
    types: readonly string[];
    actor: Actor | null;
    /** Where the attempt came from that nobody known made. */
    clientAddress?: string | null;
    requestId: string | null;
    outcome: string | null;
    detail: HistoryDetail[Kind];
  };
}[HistoryKind];

/**
 * Appends one entry to the partner's chain, inside the caller's transaction: what is recorded and what it is about
 * happen together or not at all. Values that are secret never belong in `detail`. Once the transaction is committed,
 * and before its caller goes on, the new end of the chain is noted outside the database.
 */
export async function recordHistory(
  trx: Transaction<Database>,
  entry: NewHistoryEntry,
): Promise<void> {
  const head = await lockHead(trx, entry.partnerId);
  const row = {
    partner_id: entry.partnerId,
    seq: head.seq + 1,
    id: randomUUID(),
    environment: entry.environment,
    at: Date.now(),
    kind: entry.kind,
    types: entry.types.join(","),
    actor_id: entry.actor?.id ?? null,
    actor_name: entry.actor?.name ?? null,
    client_address: entry.actor?.clientAddress ?? entry.clientAddress ?? null,
    request_id: entry.requestId,
    outcome: entry.outcome,
    detail_json: JSON.stringify(entry.detail),
  };
  const mac = await partnerMac(trx, entry.partnerId, "history", canonicalRow(row, head.mac));
  await trx
    .insertInto("history")
    .values({ ...row, mac })
    .execute();
  await trx
    .updateTable("history_heads")
    .set({ seq: row.seq, mac })
    .where("partner_id", "=", entry.partnerId)
    .execute();
  await afterCommit(trx, () => appendAnchor({ partner: entry.partnerId, seq: row.seq, mac }));
}

/** Writes first, so that on both engines the second of two writers waits here and then sees the first one's end. */
async function lockHead(trx: Transaction<Database>, partnerId: string) {
  return trx
    .insertInto("history_heads")
    .values({ partner_id: partnerId, seq: 0, mac: "" })
    .onConflict((conflict) =>
      conflict.column("partner_id").doUpdateSet((eb) => ({ seq: eb.ref("history_heads.seq") })),
    )
    .returning(["seq", "mac"])
    .executeTakeFirstOrThrow();
}
