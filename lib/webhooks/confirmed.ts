import "server-only";
import type { Executor } from "@/lib/db/open";
import type { PartnerConnection } from "@/lib/partner-api/types";
import * as z from "zod";
import { snapshotSchema, type Snapshot } from "./snapshot";
import { webhookTypes } from "./types";

const lastChangeSchema = z.object({
  at: z.number(),
  by: z.string().nullable(),
  approvedBy: z.string().optional(),
});

const confirmedSchema = z.object({
  snapshot: snapshotSchema,
  /** Who changed each type last, as far as Gancho has seen. `by` is null for an unknown client of the service. */
  lastChanges: z.partialRecord(z.enum(webhookTypes), lastChangeSchema),
});

export type LastChanges = z.infer<typeof confirmedSchema>["lastChanges"];

/** The configuration as the service last confirmed it. */
export type Confirmed = z.infer<typeof confirmedSchema> & {
  confirmedAt: number;
  epoch: number;
  /** As which client of the service it was read; null where that was not kept yet. */
  clientId: string | null;
};

export async function loadConfirmed(
  executor: Executor,
  connectionId: string,
): Promise<Confirmed | null> {
  const row = await executor
    .selectFrom("confirmed_configurations")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  if (!row) return null;
  const { snapshot, lastChanges } = confirmedSchema.parse(JSON.parse(row.snapshot_json));
  return {
    snapshot,
    lastChanges,
    confirmedAt: row.confirmed_at,
    epoch: row.epoch,
    clientId: row.client_id,
  };
}

/**
 * Stores what was just read, only if nobody stored anything since `before` was loaded: a slow reader must not put an
 * older look over a newer one. Says whether it did.
 */
export async function storeConfirmed(
  executor: Executor,
  connection: Pick<PartnerConnection, "id" | "clientId">,
  before: Confirmed | null,
  now: { snapshot: Snapshot; lastChanges: LastChanges; confirmedAt: number },
): Promise<boolean> {
  const values = {
    confirmed_at: now.confirmedAt,
    client_id: connection.clientId,
    snapshot_json: JSON.stringify({ snapshot: now.snapshot, lastChanges: now.lastChanges }),
  };
  if (!before) {
    const inserted = await executor
      .insertInto("confirmed_configurations")
      .values({ connection_id: connection.id, epoch: 1, ...values })
      .onConflict((conflict) => conflict.column("connection_id").doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  }
  const updated = await executor
    .updateTable("confirmed_configurations")
    .set({ epoch: before.epoch + 1, ...values })
    .where("connection_id", "=", connection.id)
    .where("epoch", "=", before.epoch)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}
