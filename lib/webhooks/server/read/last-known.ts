import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { isFollowed } from "@/lib/platform/database/tables";
import { db, type Executor } from "@/lib/platform/database/open";
import { log } from "@/lib/platform/log/log";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { webhookVersionSchema } from "@/lib/history/model/webhook-change";
import * as z from "zod";
import {
  type RequestedAt,
  type ConnectionRef,
  type RemoteState,
  remoteStateSchema,
  type RemoteWebhook,
} from "./remote-state";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import { type WebhookType, webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import type { Retype } from "@/lib/webhooks/model/configuration";

const lastChangeSchema = z.object({
  at: z.number(),
  by: z.string().nullable(),
  approvedBy: z.string().optional(),
  /** No known author: the service shows another value with the same address. */
  onlyValue: z.literal(true).optional(),
});

const perType = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.partialRecord(z.enum(webhookTypes), schema);

/** A state and a time on the steady clock. */
const momentOf = z.object({ state: webhookVersionSchema, at: z.number() });

const storedSchema = z.object({
  snapshot: remoteStateSchema,
  /** Who changed each type last. null: unknown, a save or another client. `by: null`: another client of the service. */
  lastChanges: perType(lastChangeSchema.nullable()),
  /**
   * The known state of each type: as in the remote state, unless that seems to come from a lagging replica of the
   * service.
   */
  known: perType(webhookVersionSchema).optional(),
  /**
   * What each type was before, and until when; for as long as a lagging replica may still show it. With who had saved
   * it, where an older save was shown after it, which may have been late or shown by a lagging replica.
   */
  past: perType(z.array(momentOf.extend({ savedBy: lastChangeSchema.optional() }))).optional(),
  /**
   * Unacknowledged changes that no save explains: the type's state before the first, and whose save had set that, if
   * any; its state after the last; and when the two were found (milliseconds).
   */
  outside: perType(
    z.object({
      before: webhookVersionSchema,
      savedBy: lastChangeSchema.optional(),
      after: webhookVersionSchema,
      since: z.number(),
      at: z.number(),
    }),
  ).optional(),
  /** Outside changes that the history will record together: how many, and since when (milliseconds). */
  gathered: z
    .object({
      changes: perType(z.object({ before: webhookVersionSchema, after: webhookVersionSchema })),
      since: z.number(),
      count: z.number(),
    })
    .optional(),
  /** What Gancho wrote last as each type's value. */
  written: perType(
    z.object({
      value: z.string().nullable(),
      at: z.number(),
      seen: z.literal(true).optional(),
    }),
  ).optional(),
  /**
   * The last known address of each type. Nothing can be removed at the service, so an answer without the type does not
   * clear it.
   */
  lastAddress: perType(z.string()).optional(),
  /** An older state that is shown again, and since when: a lagging replica, or somebody restored it. */
  returned: perType(momentOf).optional(),
});

export type LastKnownContent = Omit<z.infer<typeof storedSchema>, "snapshot"> & {
  remote: RemoteState;
};

/** The benchmark uses it, too. `snapshot` is the stored name of the remote state. */
export function storedContent({ remote, ...rest }: LastKnownContent): string {
  return JSON.stringify({ snapshot: remote, ...rest });
}

function contentIn(stored: string): LastKnownContent {
  const { snapshot, ...rest } = storedSchema.parse(JSON.parse(stored));
  return { remote: snapshot, ...rest };
}

/** The configuration as the service last confirmed it. */
export type LastKnownState = LastKnownContent & {
  /** When the service was read for it, on this process's monotonic clock (`performance.now()`). */
  requestedAt: number;
  epoch: number;
};

/** All that is known of a connection before the service is read. */
export type LastKnown = {
  /** null where this service was never read as this client. */
  confirmed: LastKnownState | null;
  /** Of any stored state, also of another service or client; 0: there is none. */
  epoch: number;
  /** Outside changes seen at another service, or as another client, that the history does not have yet. */
  gatheredElsewhere?: LastKnownContent["gathered"];
  /** The stored state, as in the row; null where there is none, or not of this service and client. */
  stored: string | null;
  /** Whether a save was followed. */
  isFollowed: boolean;
  /** The steady clock as this was loaded, and this process's own at that time. */
  now: number;
  loadedAt: number;
};

type Source = { connection: Pick<ConnectionRef["connection"], "id" | "baseUrl" | "clientId"> };

/** Ignores states read at another base address or as another client. */
export async function loadLastKnown(executor: Executor, of: Source): Promise<LastKnown> {
  const [row] = await lastKnownRows(executor, [of]);
  const loadedAt = performance.now();
  if (row) return lastKnownIn(row, of, loadedAt);
  const nothing = { confirmed: null, epoch: 0, stored: null, isFollowed: false };
  return { ...nothing, now: 0, loadedAt };
}

/**
 * The same for many connections in one environment at one base address, by id. Leaves out rows for which
 * `loadLastKnown` throws, so that one damaged row does not keep the others from being read.
 */
export async function loadEachLastKnown(
  executor: Executor,
  of: readonly Source[],
): Promise<ReadonlyMap<string, LastKnown>> {
  const rows = new Map((await lastKnownRows(executor, of)).map((row) => [row.id, row]));
  const loadedAt = performance.now();
  const known = new Map<string, LastKnown>();
  for (const source of of) {
    const row = rows.get(source.connection.id);
    try {
      if (row) known.set(row.id, lastKnownIn(row, source, loadedAt));
    } catch (err) {
      log.warn({ err, connectionId: row?.id }, "a stored state could not be read");
    }
  }
  return known;
}

async function lastKnownRows(executor: Executor, of: readonly Source[]) {
  const [first] = of;
  if (!first) return [];
  return executor
    .selectFrom("connections")
    .leftJoin("confirmed_configurations as c", "c.connection_id", "connections.id")
    .select(["connections.id", "c.confirmed_at", "c.requested_at", "c.epoch", "c.snapshot_json"])
    .select(["c.base_url", "c.client_id", steadyNow().as("now")])
    .select(hasFollowed(sql.ref("connections.id")).as("is_followed"))
    .where(
      "connections.id",
      "in",
      of.map((source) => source.connection.id),
    )
    .execute();
}

type LastKnownRow = Awaited<ReturnType<typeof lastKnownRows>>[number];

function lastKnownIn(row: LastKnownRow, { connection }: Source, loadedAt: number): LastKnown {
  const { now, epoch } = row;
  const sameSource =
    (row.base_url ?? connection.baseUrl) === connection.baseUrl &&
    (row.client_id ?? connection.clientId) === connection.clientId;
  const confirmed =
    sameSource && row.snapshot_json !== null && epoch !== null
      ? {
          ...contentIn(row.snapshot_json),
          requestedAt: loadedAt - ageOf(row, now),
          epoch,
        }
      : null;
  return {
    confirmed,
    epoch: epoch ?? 0,
    ...(!sameSource &&
      row.snapshot_json !== null && {
        gatheredElsewhere: contentIn(row.snapshot_json).gathered,
      }),
    stored: confirmed && row.snapshot_json,
    isFollowed: Boolean(row.is_followed),
    now,
    loadedAt,
  };
}

/** Includes saves that went to another base address. */
function hasFollowed(connectionId: string | RawBuilder<unknown>) {
  return sql<SqlBool>`exists (select 1 from changes where connection_id = ${connectionId} and ${isFollowed})`;
}

/**
 * Stores only the time of a reading that matches the stored state, in one statement. null where there is more to store:
 * a save is followed, or the list of partners shows a fault.
 */
export async function storeConfirmation(
  { partnerId, environment, connection }: ConnectionRef,
  known: LastKnown,
  { content, requestedAt }: { content: LastKnownContent; requestedAt: RequestedAt },
): Promise<LastKnownState | null> {
  if (!known.confirmed || known.isFollowed || storedContent(content) !== known.stored) return null;
  const source = { base_url: connection.baseUrl, client_id: connection.clientId };
  const epoch = known.epoch + 1;
  const result = await db()
    .updateTable("confirmed_configurations")
    .set({ confirmed_at: wallOf(requestedAt), requested_at: requestedAt.steady, epoch, ...source })
    .where("connection_id", "=", connection.id)
    .where("epoch", "=", known.epoch)
    .where(
      sql<SqlBool>`not ${hasFollowed(connection.id)} and exists (
        select 1 from partner_overviews
        where partner_id = ${partnerId} and environment = ${environment} and confirmed = 1
          and fault_code is null and base_url = ${source.base_url} and client_id = ${source.client_id}
      )`,
    )
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) return null;
  return { ...content, requestedAt: requestedAt.processTime, epoch };
}

/** On the wall clock. */
function wallOf({ processTime }: RequestedAt): number {
  return Math.round(databaseTime() - (performance.now() - processTime));
}

/** By the time of day where the steady clock has begun again since. */
function ageOf(
  { requested_at, confirmed_at }: { requested_at: number | null; confirmed_at: number | null },
  now: number,
): number {
  return requested_at && requested_at <= now
    ? now - requested_at
    : Math.max(0, databaseTime() - (confirmed_at ?? 0));
}

/**
 * Stores a reading unless another one was stored since `known` was loaded: a slow reader must not overwrite a newer
 * state. null where one was.
 */
export async function storeLastKnown(
  executor: Executor,
  { connection }: ConnectionRef,
  known: LastKnown,
  { content, requestedAt }: { content: LastKnownContent; requestedAt: RequestedAt },
): Promise<LastKnownState | null> {
  const epoch = known.epoch + 1;
  const values = {
    confirmed_at: wallOf(requestedAt),
    requested_at: requestedAt.steady,
    base_url: connection.baseUrl,
    client_id: connection.clientId,
    snapshot_json: storedContent(content),
    epoch,
  };
  const result = await executor
    .insertInto("confirmed_configurations")
    .values({ connection_id: connection.id, ...values })
    .onConflict((conflict) =>
      conflict
        .column("connection_id")
        .doUpdateSet(values)
        .where("confirmed_configurations.epoch", "=", known.epoch),
    )
    .executeTakeFirst();
  if (result.numInsertedOrUpdatedRows !== 1n) return null;
  return { ...content, requestedAt: requestedAt.processTime, epoch };
}

type PendingOutside = NonNullable<NonNullable<LastKnownContent["outside"]>[WebhookType]>;

/**
 * Identifies each unacknowledged outside change by all that a person sees of it, so that instances need not compare
 * clocks. Keyed like a revision.
 */
export async function outsideNames(
  executor: Executor,
  { partnerId, environment }: Pick<ConnectionRef, "partnerId" | "environment">,
): Promise<(type: WebhookType, change: PendingOutside) => string> {
  const mac = await partnerMacs(executor, partnerId, "outside change");
  const partsOf = (version: WebhookVersion) =>
    version && [
      version.callbackUrl,
      version.fingerprint,
      version.conflict ?? false,
      version.hidden ?? null,
    ];
  return (type, { before, after, since, at }) =>
    mac(JSON.stringify([environment, type, partsOf(before), partsOf(after), since, at])).slice(
      0,
      32,
    );
}

/**
 * Stores knowledge that no reading shows; absent fields stay. False where another state was stored since `known` was
 * loaded.
 */
export async function storeKnown(
  executor: Executor,
  { connection }: Pick<ConnectionRef, "connection">,
  { confirmed }: LastKnown,
  more: Partial<Pick<LastKnownContent, "outside" | "written">>,
): Promise<boolean> {
  if (!confirmed) return false;
  const { remote, lastChanges, known, past, outside, written, lastAddress } = confirmed;
  const { gathered, returned, epoch } = confirmed;
  const content = { remote, lastChanges, known, past, returned, outside, written, lastAddress };
  const result = await executor
    .updateTable("confirmed_configurations")
    .set({ snapshot_json: storedContent({ ...content, gathered, ...more }), epoch: epoch + 1 })
    .where("connection_id", "=", connection.id)
    .where("epoch", "=", epoch)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * What a save sent last as a type's Authorization value: its HMAC, null for none; and when that save began. `seen`: the
 * list has shown since that none is set.
 */
export type Written = { value: string | null; at: number; seen?: true | undefined };

type Shown = Pick<RemoteWebhook, "fingerprint" | "masked" | "authorizationConflict" | "duplicate">;

/** Whether the list shows exactly what Gancho wrote last. Only then is the value known and may be written again. */
export function isAsWritten(shown: Shown, written: Written | undefined): boolean {
  return whyRetype(shown, written) === null;
}

/** Why this type's value has to be typed before it can go with another address; null where it is as Gancho wrote it. */
export function whyRetype(
  { fingerprint, masked, authorizationConflict, duplicate }: Shown,
  written: Written | undefined,
): Retype | null {
  if (duplicate || authorizationConflict) return "conflicting_values";
  if (masked) return "retype_not_shown";
  const isValue = typeof written?.value === "string";
  if (fingerprint === null) {
    if (isValue) return "retype_not_shown";
    return written?.seen ? null : "retype_unproven";
  }
  if (fingerprint === written?.value) return null;
  return isValue ? "retype_other_value" : "retype_unproven";
}
