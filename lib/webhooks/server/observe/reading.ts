import "server-only";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { CallLine, CallOptions } from "@/lib/platform/payment-service/types";
import {
  connectionOf,
  openConnection,
  storedConnections,
  type StoredConnection,
} from "@/lib/partners/server/connection";
import { recordFault } from "@/lib/partners/server/list/overview";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { readTimings } from "@/lib/platform/runtime/timings";
import { countReading } from "@/lib/platform/metrics/metrics";
import {
  loadConnection,
  loadEachKnown,
  loadKnown,
  type Known,
  type LastLook,
  type LoadedConnection,
  type SecondPeople,
} from "./observed";
import { isOlder, recordReading } from "./record-look";
import { fetchRemoteState, type ConnectionRef, type RemoteValues } from "./remote-state";
import type { SaveRecord } from "./save-record";

/** A reading of the list, for people and in the background: what it showed is recorded as a look. */

/** The partner's connection, from which everything is read and saved. Throws `not_found` or `not_connected`. */
export async function requireConnectionRef(
  { partner }: PartnerAccess,
  environmentName: string,
): Promise<ConnectionRef> {
  return connectionRefOnTrust(partner.id, environmentName);
}

/** A connection with what was known of it as it was loaded. */
export type KnownConnection = {
  connectionRef: ConnectionRef;
  known: Known;
  secondPeople: SecondPeople;
};

/** The same with what is known of it, and whether this change is recorded. */
export async function requireKnownConnection(
  { partner }: PartnerAccess,
  environmentName: string,
  changeId: string | null = null,
): Promise<KnownConnection & Pick<LoadedConnection, "lock" | "hasChange">> {
  const environment = requireEnvironment(environmentName);
  const found = await loadConnection(db(), partner.id, environment, changeId);
  if (!found) throw new ProblemError("not_connected");
  const connection = await openConnection(found.stored, environment.baseUrl);
  const connectionRef = { partnerId: partner.id, environment: environment.name, connection };
  const { known, secondPeople, lock, hasChange } = found;
  return { connectionRef, known, secondPeople, lock, hasChange };
}

/** The same without a person. Checks no access. */
export async function connectionRefOnTrust(
  partnerId: string,
  environmentName: string,
): Promise<ConnectionRef> {
  const environment = requireEnvironment(environmentName);
  const connection = await connectionOf(partnerId, environment);
  if (!connection) throw new ProblemError("not_connected");
  return { partnerId, environment: environment.name, connection };
}

/** A connection about to be read, with its last known state where that could be loaded. */
export type PlannedReading = { stored: StoredConnection; known: Known | undefined };

/** Loads what `readInBackground` needs for many connections of one environment, by connection id. */
export async function planReadings(
  environmentName: string,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, PlannedReading>> {
  const { baseUrl } = requireEnvironment(environmentName);
  const all = await storedConnections(connectionIds);
  const sources = all.map(({ id, client_id }) => ({
    connection: { id, baseUrl, clientId: client_id },
  }));
  const known = await loadEachKnown(db(), sources);
  return new Map(all.map((stored) => [stored.id, { stored, known: known.get(stored.id) }]));
}

/** Reads without a person: records what the service holds and presents nothing. Checks no access. */
export async function readInBackground(
  { stored, known }: PlannedReading,
  options: Pick<CallOptions, "requestId">,
): Promise<Reading> {
  const { name: environment, baseUrl } = requireEnvironment(stored.environment);
  const connection = await openConnection(stored, baseUrl);
  const connectionRef = { partnerId: stored.partner_id, environment, connection };
  return (await readNow(connectionRef, { ...options, background: true }, known)).reading;
}

/** After this many readings that something overtook, the next one is recorded as it is. */
const maxTries = 3;

/** What a reading ended with. */
export type ReadOutcome = {
  connectionRef: ConnectionRef;
  /** What it showed, or what was known where the service could not be read; null where nothing ever was. */
  last: LastLook | null;
  /** Saves that may still explain what is shown; null: they were not loaded. */
  saves: SaveRecord[] | null;
  /** The values that `last` showed; null where it failed, or a later look is the last one. */
  values: RemoteValues | null;
  /** As they were when it was recorded; undefined: they were not loaded. */
  secondPeople?: SecondPeople | undefined;
  fault: Fault | null;
  /** The id of the request for which it was read, for the log. */
  requestId: string;
  reading: Reading;
};

/**
 * A reading for people, which those share who ask at the same time. `isOwn`: it began for this caller; another's may be
 * older than what is stored by now.
 */
export async function sharedReading(
  { connectionRef, known }: Pick<KnownConnection, "connectionRef" | "known">,
  { requestId }: Pick<CallOptions, "requestId">,
): Promise<ReadOutcome & { isOwn: boolean }> {
  const { id, version, baseUrl } = connectionRef.connection;
  const { isOwn, outcome } = latestReading(JSON.stringify([id, version, baseUrl]), () =>
    readNow(connectionRef, { requestId }, known),
  );
  return { ...(await outcome), isOwn };
}

/** Calls the service, records what it showed, and publishes the reading. `known`: if the caller has just loaded it. */
export async function readNow(
  start: ConnectionRef,
  options: CallOptions,
  known?: Known,
): Promise<ReadOutcome> {
  const began = { at: databaseTime(), by: options.background ? "watch" : "other" } as const;
  let listMs: number | null = null;
  const onCall = (line: CallLine) => {
    if (line.call === "list") listMs = line.durationMs;
  };
  const outcome = await askAndRecord(start, { ...options, onCall }, known);
  const { connectionRef, last, fault } = outcome;
  const reading: Reading = { ...began, connectionRef, listMs, fault, look: fault ? null : last };
  publishReading(reading);
  return { ...outcome, requestId: options.requestId, reading };
}

/** Holds no lock while the service answers, so that no save waits for it. */
async function askAndRecord(
  start: ConnectionRef,
  options: CallOptions,
  loaded: Known | undefined,
): Promise<Omit<ReadOutcome, "reading" | "requestId">> {
  let connectionRef = start;
  for (let tries = 1; ; tries += 1) {
    let known = (tries === 1 && loaded) || (await loadKnown(db(), connectionRef));
    const fetched = await fetchRemoteState(connectionRef, known, options);
    if (!fetched.ok) {
      const { fault } = fetched;
      const { requestId } = options;
      const replaced =
        fault.code === "credentials_rejected" && (await withCredentialsNow(connectionRef));
      if (replaced) {
        connectionRef = replaced;
        continue;
      }
      await recordFault(connectionRef, { code: fault.code, requestId, epoch: known.epoch });
      return { connectionRef, last: known.last, saves: null, values: null, fault };
    }
    // Once it has been overtaken too often, it counts as it is: a look like any other, and maybe of a lagging replica.
    for (;;) {
      const recorded = await recordReading({ connectionRef, known, fetched });
      if (recorded) return { connectionRef, ...recorded, values: fetched.values, fault: null };
      if (tries < maxTries || (await withCredentialsNow(connectionRef))) break;
      known = await loadKnown(db(), connectionRef);
      const { last } = known;
      if (last && isOlder(fetched, last))
        return { connectionRef, last, saves: null, values: null, fault: null };
    }
    // Another client would see its own webhooks, and forget what is known of the present one's.
    connectionRef = (await withCredentialsNow(connectionRef)) ?? connectionRef;
  }
}

/** The connection with the credentials that replaced the given ones; null where they are still in use. */
async function withCredentialsNow(connectionRef: ConnectionRef): Promise<ConnectionRef | null> {
  const now = await connectionRefOnTrust(connectionRef.partnerId, connectionRef.environment);
  return now.connection.version === connectionRef.connection.version ? null : now;
}

/** Readings in progress or begun a moment ago: at most one for each connection that people look at. */
const latest = () => processWide("latest-readings", () => new Map<string, Promise<unknown>>());

/**
 * A reading for people, at most twice a second in each process: a caller that comes sooner, or while one is in
 * progress, gets the outcome of the latest one. So nobody uses up the service's rate limit for others. `isOwn`: it
 * began for this caller.
 */
function latestReading<Outcome>(
  name: string,
  read: () => Promise<Outcome>,
): { isOwn: boolean; outcome: Promise<Outcome> } {
  const known = latest().get(name);
  if (known) return { isOwn: false, outcome: known as Promise<Outcome> };
  const began = performance.now();
  const outcome = read();
  latest().set(name, outcome);
  const forget = () => latest().delete(name);
  const ended = () => {
    const leftMs = began + readTimings.betweenReadingsMs - performance.now();
    if (leftMs > 0) setTimeout(forget, leftMs).unref();
    else forget();
  };
  outcome.then(ended, forget);
  return { isOwn: true, outcome };
}

/** One call of the service for what a connection has registered, and its outcome. */
export type Reading = {
  connectionRef: ConnectionRef;
  /** When it began, by the wall clock. */
  at: number;
  by: "watch" | "other";
  /** Milliseconds of the list call that ended it; null where none was sent. */
  listMs: number | null;
  fault: Fault | null;
  /** What it showed; null where it failed. */
  look: LastLook | null;
};

type Listener = (reading: Reading) => void;

const listeners = () => processWide("reading-listeners", () => new Set<Listener>());

/** Subscribes to readings, people's included. */
export function onReading(listener: Listener): () => void {
  listeners().add(listener);
  return () => listeners().delete(listener);
}

function publishReading(reading: Reading): void {
  const { connectionRef, by, fault } = reading;
  countReading({
    environment: connectionRef.environment,
    by: by === "watch" ? "watch" : "person",
    result: fault?.code ?? "ok",
  });
  for (const listener of listeners()) listener(reading);
}
