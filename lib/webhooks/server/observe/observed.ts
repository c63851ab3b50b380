import "server-only";
import { webhookVersionSchema } from "@/lib/history/model/webhook-change";
import { db, type Executor } from "@/lib/platform/database/open";
import { prepared, type Bound } from "@/lib/platform/database/prepared";
import { elapsedSince, sinceStart, steadyNow } from "@/lib/platform/database/steady-clock";
import { isFollowed, type Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import {
  expressionBuilder,
  sql,
  type Expression,
  type Selectable,
  type SqlBool,
  type Transaction,
} from "kysely";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { lockName, type SeenLock } from "./connection-lock";
import { isOnlyOfValue, nothingObserved, type Moment, type Observed } from "./look";
import type { EnvironmentRef, StoredConnection } from "@/lib/partners/server/connection";
import { remoteStateSchema, type ConnectionRef, type RemoteState } from "./remote-state";

/** The rows of what looks have shown of a connection. Times on the steady clock are measured back from `Known.now`. */

/**
 * The save that asked for something; who did so, and when, by the time of day, with the second person who approved it.
 * People by their ids; null where the save's row is gone.
 */
export type Asker = {
  changeId: string;
  who: { by: string; at: number; approvedBy: string | null } | null;
};

/**
 * `asker`: of what is shown; null: no save here asked for it. `sentNone`: a save here asked for what is shown, without a
 * value, and none was sent since (R11). `hadValue`: the list has shown a value, or Gancho has sent one.
 */
export type TypeObserved = Observed & {
  asker: Asker | null;
  sentNone: boolean;
  hadValue: boolean;
};
export type ObservedTypes = Record<WebhookType, TypeObserved>;

/** What the last look showed, at one service as one client. */
export type LastLook = {
  remote: RemoteState;
  types: ObservedTypes;
  moment: Moment;
  /** When its answer came, on this process's monotonic clock (`performance.now()`). */
  answeredAt: number;
  epoch: number;
};

/** The same of a connection. */
export type ShownLook = { connectionRef: ConnectionRef; last: LastLook };

/** All that is known of a connection before the service is read. */
export type Known = {
  /** null where this service was never read as this client. */
  last: LastLook | null;
  /** Where there is none, what an open incident keeps of another service or client. */
  kept: ObservedTypes | null;
  /** Of any stored look, also of another service or client; 0: there is none. */
  epoch: number;
  /** Whether a save is followed. */
  isFollowed: boolean;
  /** Whether the end of one is still to be recorded: its process is at work, or has left it behind. */
  isUnanswered: boolean;
  /** The list of partners shows the last look, and no fault. */
  isListed: boolean;
  /** The service is known to have held something, which nothing can remove there. */
  hasHeld: boolean;
  /**
   * The steady clock as this was loaded, and this process's own just before: a look may be timed late by as much as
   * loading took, and never before what was sent before it (R1).
   */
  now: number;
  askedAt: number;
  tookMs: number;
};

type Source = { connection: Pick<ConnectionRef["connection"], "id" | "baseUrl" | "clientId"> };

/** Ignores looks at another base address or as another client, except for what an open incident keeps of them. */
export async function loadKnown(executor: Executor, of: Source): Promise<Known> {
  const askedAt = performance.now();
  const { rows } = await rowsOf(executor, { id: of.connection.id, sinceStart: sinceStart() });
  return knownIn(rows, of, askedAt);
}

const rowsOf = prepared((executor, given: Bound<{ id: string; sinceStart: number }>) =>
  selectKnown(executor, given.sinceStart).where("connections.id", "=", given.id),
);

/** What is known of second people at a connection. */
export type SecondPeople = {
  /** Its partner's changes of production addresses take one. */
  isRequired: boolean;
  /** A change of webhooks waits for one, or has waited for too long. */
  isAwaited: boolean;
};

/** As they are now: a change may begin to wait while the service is being asked. */
export async function loadSecondPeople(
  executor: Executor,
  { partnerId, environment }: EnvironmentRef,
): Promise<SecondPeople> {
  const { rows } = await secondPeopleOf(executor, { partnerId, environment });
  const [row] = rows;
  if (!row) throw new Error("the partner of a connection is not there");
  return secondPeopleIn(row.four_eyes_since, row.is_awaited);
}

const secondPeopleOf = prepared((executor, { partnerId, environment }: Bound<EnvironmentRef>) =>
  executor
    .selectFrom("partners")
    .select("four_eyes_since")
    .select(isAwaitedAt({ partnerId, environment }))
    .where("id", "=", partnerId),
);

const isAwaitedAt = ({ partnerId, environment }: Bound<EnvironmentRef>) =>
  expressionBuilder<Database, never>()
    .exists(
      awaitedChanges()
        .where("changes.partner_id", "=", partnerId)
        .where("changes.environment", "=", environment),
    )
    .as("is_awaited");

const changes = () =>
  expressionBuilder<Database, "connections">().selectFrom("changes").select("changes.id");

const awaitedChanges = () =>
  changes().where("changes.state", "=", sql.lit("waiting")).where("changes.kind", "=", "webhooks");

const secondPeopleIn = (fourEyesSince: number | null, isAwaited: SqlBool): SecondPeople => ({
  isRequired: env().requireFourEyes || fourEyesSince !== null,
  isAwaited: Boolean(isAwaited),
});

/** What is loaded with a connection. `hasChange`: the change that was asked for is recorded. */
export type LoadedConnection = {
  stored: StoredConnection;
  known: Known;
  secondPeople: SecondPeople;
  lock: SeenLock;
  hasChange: boolean;
};

/** The same with the connection, for who knows only its place; null where there is none. */
export async function loadConnection(
  executor: Executor,
  partnerId: string,
  { name, baseUrl }: { name: string; baseUrl: string },
  changeId: string | null = null,
): Promise<LoadedConnection | null> {
  const askedAt = performance.now();
  const given = { partnerId, environment: name, changeId, sinceStart: sinceStart() };
  const { rows } = await connectionRows(executor, given);
  const [row] = rows;
  if (!row) return null;
  const { id, partner_id, environment, version, secret_ciphertext, own_client_id } = row;
  const connection = { id, baseUrl, clientId: own_client_id };
  return {
    stored: { id, partner_id, environment, version, secret_ciphertext, client_id: own_client_id },
    known: knownIn(rows, { connection }, askedAt),
    secondPeople: secondPeopleIn(row.four_eyes_since, row.is_awaited),
    lock: { fence: row.fence ?? 0, isFree: Boolean(row.is_free) },
    hasChange: Boolean(row.has_change),
  };
}

type ConnectionPlace = {
  partnerId: string;
  environment: string;
  changeId: string | null;
  sinceStart: number;
};

const connectionRows = prepared((executor, given: Bound<ConnectionPlace>) => {
  const here = (of: ReturnType<typeof changes>) =>
    of
      .whereRef("changes.partner_id", "=", "connections.partner_id")
      .whereRef("changes.environment", "=", "connections.environment");
  return selectKnown(executor, given.sinceStart)
    .leftJoin("leases as l", (join) => join.on("l.name", "=", lockName))
    .select("l.fence")
    .select(({ eb, or, exists, selectFrom }) => [
      selectFrom("partners")
        .select("partners.four_eyes_since")
        .whereRef("partners.id", "=", "connections.partner_id")
        .as("four_eyes_since"),
      or([eb("l.name", "is", null), eb("l.expires_at", "=", 0)]).as("is_free"),
      exists(here(awaitedChanges())).as("is_awaited"),
      exists(here(changes()).where("changes.id", "=", given.changeId)).as("has_change"),
    ])
    .where("connections.partner_id", "=", given.partnerId)
    .where("connections.environment", "=", given.environment);
});

/**
 * The same for many connections in one environment at one base address, by id. Leaves out those whose rows cannot be
 * parsed, so that one damaged row does not keep the others from being read.
 */
export async function loadEachKnown(
  executor: Executor,
  of: readonly Source[],
): Promise<ReadonlyMap<string, Known>> {
  const askedAt = performance.now();
  const ids = of.map(({ connection }) => connection.id);
  if (ids.length === 0) return new Map();
  const rows = await selectKnown(executor).where("connections.id", "in", ids).execute();
  return eachKnownIn(rows, of, askedAt);
}

/** The same from rows of `selectKnown` that were asked for at `askedAt`, by the clock of `performance`. */
export function eachKnownIn(
  rows: readonly KnownRow[],
  of: readonly Source[],
  askedAt: number,
): ReadonlyMap<string, Known> {
  const byId = new Map<string, KnownRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  const known = new Map<string, Known>();
  for (const source of of) {
    const { id } = source.connection;
    try {
      const ofConnection = byId.get(id);
      if (ofConnection) known.set(id, knownIn(ofConnection, source, askedAt));
    } catch (err) {
      log.warn({ err, connectionId: id }, "a stored look could not be read");
    }
  }
  return known;
}

/**
 * One row for each observed type of each connection, or one without. Where one column of another table is enough, that is
 * a subquery: each further join multiplies what PostgreSQL considers before it begins.
 */
export function selectKnown(executor: Executor, onSqlite?: Expression<number>) {
  return executor
    .selectFrom("connections")
    .leftJoin("confirmed_configurations as c", "c.connection_id", "connections.id")
    .leftJoin("observed_types as t", "t.connection_id", "connections.id")
    .leftJoin("changes as a", (join) =>
      join
        .onRef("a.partner_id", "=", "connections.partner_id")
        .onRef("a.environment", "=", "connections.environment")
        .onRef("a.id", "=", "t.asked_by"),
    )
    .select(["connections.id", "connections.partner_id", "connections.environment"])
    .select(["connections.version", "connections.secret_ciphertext"])
    .select("connections.client_id as own_client_id")
    .select(["c.epoch", "c.remote_json", "c.base_url", "c.client_id"])
    .select(["c.looked_at", "c.looked_steady"])
    .select(["t.type", "t.shown_json", "t.shown_since", "t.shown_since_steady", "t.settled_json"])
    .select(["t.looked_at as type_looked_at", "t.recent_json", "t.counted_at", "t.sent_value"])
    .select(["t.difference_json", "t.shows_values", "t.asked_by", "t.sent_none"])
    .select(["t.had_value", "t.stored_steady"])
    .select([
      "a.author_id as asker_id",
      "a.created_at as asked_at",
      "a.decided_by_id as approver_id",
    ])
    .select(steadyNow(onSqlite).as("now"))
    .select(({ selectFrom, exists }) => [
      exists(
        selectFrom("partner_overviews as o")
          .select("o.partner_id")
          .whereRef("o.partner_id", "=", "connections.partner_id")
          .whereRef("o.environment", "=", "connections.environment")
          .whereRef("o.base_url", "=", "c.base_url")
          .whereRef("o.client_id", "=", "c.client_id")
          .where("o.confirmed", "=", sql.lit(1))
          .where("o.fault_code", "is", null),
      ).as("is_listed"),
      exists(
        selectFrom("incidents as open")
          .select("open.connection_id")
          .whereRef("open.connection_id", "=", "connections.id"),
      ).as("has_incident"),
      // `sent`, where any is, since it sorts after `answered`.
      selectFrom("changes")
        .select(({ fn }) => fn.max("changes.state").as("state"))
        .whereRef("changes.connection_id", "=", "connections.id")
        .where(isFollowed)
        .as("followed"),
    ]);
}

type KnownRow = Awaited<ReturnType<ReturnType<typeof selectKnown>["execute"]>>[number];

function knownIn(rows: readonly KnownRow[], { connection }: Source, askedAt: number): Known {
  const [row] = rows;
  const nothing = {
    last: null,
    kept: null,
    epoch: 0,
    isFollowed: false,
    isUnanswered: false,
    isListed: false,
    hasHeld: false,
  };
  const tookMs = performance.now() - askedAt;
  if (!row) return { ...nothing, now: 0, askedAt, tookMs };
  const { now, epoch, looked_at: at, looked_steady: steady, remote_json } = row;
  const isHere =
    (row.base_url ?? connection.baseUrl) === connection.baseUrl &&
    (row.client_id ?? connection.clientId) === connection.clientId;
  const shared = {
    epoch: epoch ?? 0,
    isFollowed: row.followed !== null,
    isUnanswered: row.followed === "sent",
    now,
    askedAt,
    tookMs,
  };
  if (remote_json === null || at === null || steady === null) return { ...nothing, ...shared };
  const types = { ...noTypes };
  for (const each of rows) if (each.type) types[each.type] = observedIn(each, now);
  if (!isHere) return { ...nothing, ...shared, kept: row.has_incident ? keptOf(types) : null };
  const remote = remoteStateSchema.parse(JSON.parse(remote_json));
  const elapsed = elapsedSince(steady, now);
  const last = {
    remote,
    types,
    moment: { at, steady: now - elapsed },
    answeredAt: askedAt - elapsed,
    epoch: shared.epoch,
  };
  return { ...shared, last, kept: null, isListed: Boolean(row.is_listed), hasHeld: holds(last) };
}

/** What the next look is compared with. */
export function typesBefore({ last, kept }: Pick<Known, "last" | "kept">): ObservedTypes {
  return last?.types ?? kept ?? noTypes;
}

/**
 * What an open incident keeps when the client or the service changes: otherwise the first look as another client, which
 * is one of its steps, would settle an outsider's address silently.
 */
function keptOf(types: ObservedTypes): ObservedTypes {
  const kept = { ...noTypes };
  for (const type of webhookTypes) {
    const { settled, difference, sentValue, hadValue, countedAt } = types[type];
    kept[type] = { ...noTypes[type], settled, difference, sentValue, hadValue, countedAt };
  }
  return kept;
}

function holds({ remote, types }: Pick<LastLook, "remote" | "types">): boolean {
  const hasItems = remote.unrecognised.length > 0 || Object.keys(remote.webhooks).length > 0;
  return hasItems || webhookTypes.some((type) => types[type].settled);
}

export const noTypes: ObservedTypes = {
  pix_in: { ...nothingObserved, asker: null, sentNone: false, hadValue: false },
  pix_out: { ...nothingObserved, asker: null, sentNone: false, hadValue: false },
};

const momentSchema = z.object({ at: z.number(), steady: z.number() });
const recentSchema = z.array(z.object({ state: webhookVersionSchema, until: z.number() }));
const differenceSchema = z.object({
  before: webhookVersionSchema,
  after: webhookVersionSchema,
  earlier: z.array(z.string()),
  since: z.number(),
  told: momentSchema,
});

function observedIn(row: KnownRow, now: number): TypeObserved {
  const steady = (moment: number) => now - elapsedSince(moment, now);
  const moment = ({ at, steady: stored }: Moment): Moment => ({ at, steady: steady(stored) });
  const parsed = <T>(schema: z.core.$ZodType<T>, stored: string | null) =>
    z.parse(schema, JSON.parse(stored ?? "null"));
  const version = (stored: string | null): WebhookVersion => parsed(webhookVersionSchema, stored);
  const isLooked = row.shown_since !== null && row.shown_since > 0;
  const difference =
    row.difference_json === null ? null : parsed(differenceSchema, row.difference_json);
  return {
    shown: isLooked
      ? {
          state: version(row.shown_json),
          since: moment({ at: row.shown_since ?? 0, steady: row.shown_since_steady ?? 0 }),
        }
      : null,
    settled: row.settled_json === null ? undefined : version(row.settled_json),
    recent: parsed(recentSchema, row.recent_json).map(({ state, until }) => ({
      state,
      until: steady(until),
    })),
    ...looksOf(row),
    difference: difference && { ...difference, told: moment(difference.told) },
    sentValue: row.sent_value,
    showsValues: row.shows_values === 1,
    asker: row.asked_by === null ? null : { changeId: row.asked_by, who: whoAsked(row) },
    sentNone: row.sent_none === 1,
    hadValue: row.had_value === 1,
  };
}

function whoAsked({ asker_id: by, asked_at: at, approver_id }: KnownRow): Asker["who"] {
  return by === null || at === null ? null : { by, at, approvedBy: approver_id };
}

/** A look that showed nothing new is not stored with the type, and counted. */
function looksOf(row: KnownRow): Pick<Observed, "countedAt" | "lookedAt"> {
  if (row.looked_steady !== row.stored_steady)
    return { countedAt: row.looked_at, lookedAt: row.looked_at };
  return {
    countedAt: row.counted_at,
    lookedAt: row.type_looked_at === 0 ? null : row.type_looked_at,
  };
}

/** A look to store. */
export type NewLook = {
  remote: RemoteState;
  types: ObservedTypes;
  moment: Moment;
  answeredAt: number;
};

/** When an answer came, by the clocks of `known`. */
export function momentOf({ now, askedAt }: Known, answeredAt: number): Moment {
  return {
    at: Math.round(databaseTime() - (performance.now() - answeredAt)),
    // The clock is read in whole milliseconds, and a look must not be before a save that it may show.
    steady: Math.ceil(now + (answeredAt - askedAt)) + 1,
  };
}

/**
 * Stores a look unless another one was stored since `known` was loaded: a slow reader must not overwrite a newer state.
 * null where one was.
 */
export async function storeLook(
  trx: Transaction<Database>,
  { connection }: Source,
  known: Known,
  { remote, types, moment, answeredAt }: NewLook,
): Promise<LastLook | null> {
  const epoch = known.epoch + 1;
  const values = {
    looked_at: moment.at,
    looked_steady: moment.steady,
    base_url: connection.baseUrl,
    client_id: connection.clientId,
    remote_json: JSON.stringify(remote),
    epoch,
  };
  const result = await trx
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
  await storeTypes(trx, connection.id, types, moment.steady);
  await storeOutside(trx, connection, typesBefore(known), types);
  return { remote, types, moment, answeredAt, epoch };
}

/** What the list of partners and the Overview find a difference by; readings alone are recorded in the schedule. */
async function storeOutside(
  trx: Transaction<Database>,
  { id, baseUrl, clientId }: Source["connection"],
  before: ObservedTypes,
  after: ObservedTypes,
): Promise<void> {
  const outside = outsideOf(after);
  if (isDeepStrictEqual(outsideOf(before), outside)) return;
  await trx
    .updateTable("reading_schedule")
    .set({
      outside_at: outside?.since ?? null,
      outside_only_value: outside?.onlyValue ? 1 : 0,
    })
    .where("connection_id", "=", id)
    .where("base_url", "=", baseUrl)
    .where("client_id", "=", clientId)
    .execute();
}

/** Of the differences that nobody has acknowledged; null where there is none. */
export function outsideOf(types: ObservedTypes): { since: number; onlyValue: boolean } | null {
  const outside = webhookTypes.flatMap((type) => types[type].difference ?? []);
  if (outside.length === 0) return null;
  return {
    since: Math.min(...outside.map(({ since }) => since)),
    onlyValue: outside.every(isOnlyOfValue),
  };
}

async function storeTypes(
  trx: Transaction<Database>,
  connectionId: string,
  types: ObservedTypes,
  stored_steady: number,
): Promise<void> {
  await trx
    .insertInto("observed_types")
    .values(
      webhookTypes.map((type) => ({
        connection_id: connectionId,
        type,
        ...columnsOf(types[type]),
        stored_steady,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["connection_id", "type"]).doUpdateSet((eb) => {
        const names = [...Object.keys(columnsOf(noTypes.pix_in)), "stored_steady"];
        return Object.fromEntries(names.map((name) => [name, eb.ref(`excluded.${name}` as never)]));
      }),
    )
    .execute();
}

function columnsOf(
  observed: TypeObserved,
): Omit<Selectable<Database["observed_types"]>, "connection_id" | "type" | "stored_steady"> {
  const { shown, settled, recent, difference, lookedAt } = observed;
  return {
    shown_json: JSON.stringify(shown?.state ?? null),
    shown_since: shown?.since.at ?? 0,
    shown_since_steady: shown?.since.steady ?? 0,
    looked_at: lookedAt ?? 0,
    settled_json: settled === undefined ? null : JSON.stringify(settled),
    recent_json: JSON.stringify(recent),
    counted_at: observed.countedAt,
    difference_json: difference && JSON.stringify(difference),
    sent_value: observed.sentValue,
    shows_values: observed.showsValues ? 1 : 0,
    asked_by: observed.asker?.changeId ?? null,
    sent_none: observed.sentNone ? 1 : 0,
    had_value: observed.hadValue ? 1 : 0,
  };
}

/**
 * Stores only the time of a look that showed nothing new, and loads the second people, in one statement. null where
 * there is more to store by now: other saves are followed than `saves`, another look was stored, or a fault was.
 */
export async function storeTime(
  { partnerId, environment, connection }: ConnectionRef,
  known: Known & { last: LastLook },
  {
    moment,
    answeredAt,
    saves,
  }: Pick<NewLook, "moment" | "answeredAt"> & { saves: readonly object[] },
): Promise<{ last: LastLook; secondPeople: SecondPeople } | null> {
  const epoch = known.epoch + 1;
  const { rows } = await setTime(db(), {
    partnerId,
    environment,
    id: connection.id,
    at: moment.at,
    steady: moment.steady,
    epoch,
    before: known.epoch,
    saves: saves.length,
  });
  const [row] = rows;
  if (!row) return null;
  const types = { ...known.last.types };
  for (const type of webhookTypes)
    types[type] = { ...types[type], countedAt: moment.at, lookedAt: moment.at };
  const last = { ...known.last, types, moment, answeredAt, epoch };
  return { last, secondPeople: secondPeopleIn(row.four_eyes_since, row.is_awaited) };
}

type Time = {
  partnerId: string;
  environment: string;
  id: string;
  at: number;
  steady: number;
  epoch: number;
  before: number;
  saves: number;
};

const setTime = prepared((executor, given: Bound<Time>) =>
  executor
    .updateTable("confirmed_configurations")
    .set({ looked_at: given.at, looked_steady: given.steady, epoch: given.epoch })
    .where("connection_id", "=", given.id)
    .where("epoch", "=", given.before)
    .where(({ selectFrom, eb, fn }) =>
      eb(
        selectFrom("changes")
          .select(fn.countAll<number>().as("count"))
          .where("connection_id", "=", given.id)
          .where(isFollowed),
        "=",
        given.saves,
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("partner_overviews")
          .select("environment")
          .where("partner_id", "=", given.partnerId)
          .where("environment", "=", given.environment)
          .where("fault_code", "is", null),
      ),
    )
    .returning(({ selectFrom }) => [
      selectFrom("partners")
        .select("four_eyes_since")
        .where("id", "=", given.partnerId)
        .as("four_eyes_since"),
      isAwaitedAt(given),
    ]),
);

/**
 * Changes what is known of types without a look. False where another look was stored since `known` was loaded. The
 * epoch grows, so that a reading that began before does not overwrite it.
 */
export async function changeTypes(
  trx: Transaction<Database>,
  { connection }: Source,
  { last, epoch }: Known,
  change: (observed: TypeObserved, type: WebhookType) => TypeObserved,
): Promise<boolean> {
  if (!last) return false;
  const { numUpdatedRows } = await trx
    .updateTable("confirmed_configurations")
    .set({ epoch: epoch + 1 })
    .where("connection_id", "=", connection.id)
    .where("epoch", "=", epoch)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const types = { ...last.types };
  for (const type of webhookTypes) types[type] = change(types[type], type);
  await storeTypes(trx, connection.id, types, last.moment.steady);
  await storeOutside(trx, connection, last.types, types);
  return true;
}

/**
 * What the last look showed before a connection is read elsewhere, and where: null where there was none. Readings that
 * began before store nothing any more.
 */
export async function endLooks(
  trx: Transaction<Database>,
  connectionId: string,
): Promise<(Source & { types: ObservedTypes }) | null> {
  const row = await trx
    .updateTable("confirmed_configurations")
    .set(({ eb }) => ({ epoch: eb("epoch", "+", 1) }))
    .where("connection_id", "=", connectionId)
    .returning(["base_url", "client_id"])
    .executeTakeFirst();
  if (!row?.base_url || !row.client_id) return null;
  const connection = { id: connectionId, baseUrl: row.base_url, clientId: row.client_id };
  const { last } = await loadKnown(trx, { connection });
  return last && { connection, types: last.types };
}
