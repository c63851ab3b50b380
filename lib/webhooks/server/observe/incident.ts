import "server-only";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import {
  isSameAddress,
  isSameSpelling,
  type WebhookVersion,
} from "@/lib/webhooks/model/webhook-version";
import type { Selectable, Transaction } from "kysely";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isMovedTo, movedTo, type Difference } from "./look";
import type { ObservedTypes, TypeObserved } from "./observed";
import type { ConnectionRef } from "./remote-state";

/** What is known of an incident; what has been done about it follows from what is shown now. */
export type Incident = {
  startedAt: number;
  /** The addresses that were told and that nobody acknowledged. */
  told: ToldAddress[];
  /** The version of the credentials at the last difference. */
  version: number;
};

/** `values`: the digests of the values that were shown beside it. */
const toldSchema = z.object({
  type: z.enum(webhookTypes),
  url: z.string(),
  values: z.array(z.string()),
});
type ToldAddress = z.infer<typeof toldSchema>;

export function typesIn({ told }: Incident): WebhookType[] {
  return webhookTypes.filter((type) => told.some((each) => each.type === type));
}

type Told = { type: WebhookType; after: WebhookChange["after"] };

/**
 * Begins an incident, or goes on with it, where differences that a look told are of the address. A value is exposed from
 * the moment at which it is shown beside one that was told, or at which it is sent there. `was`: before the look.
 */
export async function recordIncident(
  trx: Transaction<Database>,
  { connection }: ConnectionRef,
  {
    told,
    was,
    types,
    at,
  }: { told: readonly Told[]; was: ObservedTypes; types: ObservedTypes; at: number },
): Promise<void> {
  const moved = told.filter(({ type, after }) => isMoved(after, types[type]));
  const hasNews = (type: WebhookType) => moved.some((each) => each.type === type);
  const shown = webhookTypes.filter((type) => isMoved(types[type].shown?.state, types[type]));
  if (moved.length === 0 && shown.length === 0) return;
  const before = (await incidentsOf(trx, [connection.id])).get(connection.id);
  const next = webhookTypes.flatMap((type) => {
    const known = (before?.told ?? []).filter((each) => each.type === type);
    const all = hasNews(type) ? withTold(known, type, was[type], types[type]) : known;
    return shown.includes(type) ? all.map((each) => withValue(each, types[type])) : all;
  });
  if (moved.length === 0 && isDeepStrictEqual(next, before?.told)) return;
  const values = {
    started_at: before?.startedAt ?? at,
    version: moved.length > 0 ? connection.version : (before?.version ?? connection.version),
    told_json: JSON.stringify(next),
  };
  await trx
    .insertInto("incidents")
    .values({ connection_id: connection.id, ...values })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(values))
    .execute();
}

function isMoved(state: WebhookVersion | undefined, { difference }: TypeObserved): boolean {
  return !!state && difference !== null && isMovedTo(state, difference);
}

/** With the addresses of the open difference, and without those that it knew before and has too many to know now. */
function withTold(
  known: readonly ToldAddress[],
  type: WebhookType,
  was: TypeObserved,
  { difference }: TypeObserved,
): ToldAddress[] {
  const [before, now] = [was.difference, difference].map((each) => (each ? movedTo(each) : []));
  const isKnown = (url: string) => known.some((each) => isSameAddress(each.url, url));
  return [
    ...known.filter(({ url }) => !isAmong(before, url) || isAmong(now, url)),
    ...(now ?? []).filter((url) => !isKnown(url)).map((url) => ({ type, url, values: [] })),
  ];
}

function isAmong(urls: readonly string[] | undefined, url: string): boolean {
  return (urls ?? []).some((each) => isSameAddress(each, url));
}

/** With the digest of the value that is shown there; where the list hides it, of the one sent last. */
function withValue(told: ToldAddress, { shown, sentValue }: TypeObserved): ToldAddress {
  const state = shown?.state;
  if (!state || !isSameSpelling(told.url, state.callbackUrl)) return told;
  const value = state.hidden ? sentValue : state.fingerprint;
  return value === null ? told : { ...told, values: [...new Set([...told.values, value])] };
}

/**
 * Somebody says that the addresses that these differences led to were the partner's own: an incident of them alone is
 * over. One that was told earlier stays, also of the same type.
 */
export async function acknowledgeIncident(
  trx: Transaction<Database>,
  connectionId: string,
  acknowledged: readonly { type: WebhookType; difference: Difference }[],
): Promise<void> {
  const incident = (await incidentsOf(trx, [connectionId])).get(connectionId);
  const left = (incident?.told ?? []).filter(
    ({ type, url }) =>
      !acknowledged.some((each) => each.type === type && isAmong(movedTo(each.difference), url)),
  );
  if (left.length === 0) return endIncident(trx, connectionId);
  await trx
    .updateTable("incidents")
    .set({ told_json: JSON.stringify(left) })
    .where("connection_id", "=", connectionId)
    .execute();
}

/** Ends it without a trace of its own: the caller records who did so, and why. */
export async function endIncident(trx: Transaction<Database>, connectionId: string): Promise<void> {
  await trx.deleteFrom("incidents").where("connection_id", "=", connectionId).execute();
}

/** The open incidents of these connections, by their ids. */
async function incidentsOf(
  executor: Executor,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, Incident>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await executor
    .selectFrom("incidents")
    .selectAll()
    .where("connection_id", "in", connectionIds)
    .execute();
  return new Map(rows.map((row) => [row.connection_id, incidentIn(row)]));
}

export function incidentIn({
  started_at,
  version,
  told_json,
}: Omit<Selectable<Database["incidents"]>, "connection_id">): Incident {
  return { startedAt: started_at, version, told: z.array(toldSchema).parse(JSON.parse(told_json)) };
}
