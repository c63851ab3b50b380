import "server-only";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { Transaction } from "kysely";
import * as z from "zod";
import { isMovedTo } from "./look";
import type { ObservedTypes, TypeObserved } from "./observed";
import type { ConnectionRef } from "./remote-state";

/** What is known of an incident; what has been done about it follows from what is shown now. */
export type Incident = {
  startedAt: number;
  types: WebhookType[];
  /** The version of the credentials at the last difference. */
  version: number;
  /** The digests of the values that were shown beside an address that no save here asked for. */
  exposed: string[];
};

type Told = { type: WebhookType; before: WebhookChange["before"]; after: WebhookChange["after"] };

/**
 * Begins an incident, or goes on with it, where differences that a look told are of the address. A value is exposed from
 * the moment at which it is shown beside one that was told, or at which it is sent there.
 */
export async function recordIncident(
  trx: Transaction<Database>,
  { connection }: ConnectionRef,
  { told, types, at }: { told: readonly Told[]; types: ObservedTypes; at: number },
): Promise<void> {
  const moved = told.filter(
    ({ before, after }) => after !== null && before?.callbackUrl !== after.callbackUrl,
  );
  const shown = webhookTypes.flatMap((type) => valueAtTold(types[type]));
  if (moved.length === 0 && shown.length === 0) return;
  const before = (await incidentsOf(trx, [connection.id])).get(connection.id);
  const exposed = [...new Set([...(before?.exposed ?? []), ...shown])];
  if (moved.length === 0 && exposed.length === before?.exposed.length) return;
  const all = [...(before?.types ?? []), ...moved.map(({ type }) => type)];
  const values = {
    started_at: before?.startedAt ?? at,
    types: webhookTypes.filter((type) => all.includes(type)).join(","),
    version: moved.length > 0 ? connection.version : (before?.version ?? connection.version),
    exposed_json: JSON.stringify(exposed),
  };
  await trx
    .insertInto("incidents")
    .values({ connection_id: connection.id, ...values })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(values))
    .execute();
}

/** The digest of the value beside an address that was told; where the list hides it, of the one sent last. */
function valueAtTold({ shown, difference, sentValue }: TypeObserved): string[] {
  const state = shown?.state;
  if (!state || !difference || !isMovedTo(state, difference)) return [];
  const value = state.hidden ? sentValue : state.fingerprint;
  return value === null ? [] : [value];
}

/** Somebody says that these types' addresses were the partner's own: an incident of them alone is over. */
export async function acknowledgeIncident(
  trx: Transaction<Database>,
  connectionId: string,
  acknowledged: readonly WebhookType[],
): Promise<void> {
  const incident = (await incidentsOf(trx, [connectionId])).get(connectionId);
  const left = (incident?.types ?? []).filter((type) => !acknowledged.includes(type));
  if (left.length === 0) return endIncident(trx, connectionId);
  await trx
    .updateTable("incidents")
    .set({ types: left.join(",") })
    .where("connection_id", "=", connectionId)
    .execute();
}

/** Ends it without a trace of its own: the caller records who did so, and why. */
export async function endIncident(trx: Transaction<Database>, connectionId: string): Promise<void> {
  await trx.deleteFrom("incidents").where("connection_id", "=", connectionId).execute();
}

/** The open incidents of these connections, by their ids. */
export async function incidentsOf(
  executor: Executor,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, Incident>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await executor
    .selectFrom("incidents")
    .selectAll()
    .where("connection_id", "in", connectionIds)
    .execute();
  return new Map(
    rows.map(({ connection_id, started_at, types, version, exposed_json }) => [
      connection_id,
      {
        startedAt: started_at,
        types: webhookTypes.filter((type) => types.split(",").includes(type)),
        version,
        exposed: z.array(z.string()).parse(JSON.parse(exposed_json)),
      },
    ]),
  );
}
