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
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { confirmReading, confirmUnchanged } from "./confirm";
import {
  loadEachLastKnown,
  loadLastKnown,
  type LastKnown,
  type LastKnownContent,
} from "./last-known";
import { problemInitOf, staleReasonOf, present } from "./present";
import { fetchRemoteState, type RemoteFetch, type ConnectionRef } from "./remote-state";
import { followedSaves } from "@/lib/webhooks/server/save/save-record";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { readTimings } from "@/lib/platform/runtime/timings";
import { countReading } from "@/lib/platform/metrics/metrics";

/**
 * What the service holds now. Where it cannot be read: the last confirmed configuration, marked as stale. Throws
 * `not_found`, `not_connected`, or the fault where nothing was ever confirmed.
 */
export async function readConfiguration(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
  options: CallOptions,
): Promise<Configuration> {
  return readAt(await requireConnectionRef(access, environmentName), options);
}

/** The partner's connection, from which everything is read and saved. Throws `not_found` or `not_connected`. */
export async function requireConnectionRef(
  { partner }: PartnerAccess,
  environmentName: string,
): Promise<ConnectionRef> {
  return connectionRefOnTrust(partner.id, environmentName);
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

/** As `readConfiguration`, for callers that already have the connection. */
export async function readAt(
  connectionRef: ConnectionRef,
  { requestId }: Pick<CallOptions, "requestId">,
): Promise<Configuration> {
  const { id, version, baseUrl } = connectionRef.connection;
  const { isOwn, outcome } = latestReading(JSON.stringify([id, version, baseUrl]), () =>
    fetchAndRecord(connectionRef, { requestId }),
  );
  const ended = await outcome;
  if (isOwn) return (await presentOutcome(ended)).configuration;
  return presentLater(ended);
}

/** A connection about to be read, with its last known state where that could be loaded. */
export type PlannedReading = { stored: StoredConnection; known: LastKnown | undefined };

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
  const known = await loadEachLastKnown(db(), sources);
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
  return (await fetchAndRecord(connectionRef, { ...options, background: true }, known)).reading;
}

/** After this many tries, the state is shown without authors. */
const maxTries = 3;

type ReadOutcome = {
  connectionRef: ConnectionRef;
  /** What the service showed, or the last known state where it could not be reached. */
  shown: Parameters<typeof present>[1];
  fault: Fault | null;
  /** The id of the request for which it was read, for the log. */
  requestId: string;
  reading: Reading;
};

/** Reads once. */
export async function readOnce(
  start: ConnectionRef,
  options: CallOptions,
): Promise<{
  configuration: Configuration;
  /** Whether the service answered. */
  isFresh: boolean;
}> {
  return presentOutcome(await fetchAndRecord(start, options));
}

/** Throws the fault where nothing was ever confirmed. */
async function presentOutcome({ connectionRef, shown, fault, requestId }: ReadOutcome) {
  if (!fault) return { configuration: await present(connectionRef, shown), isFresh: true };
  // Loads it again: a save may have ended since the service was called.
  const known = await loadLastKnown(db(), connectionRef);
  if (!known.confirmed) throw new ProblemError(fault.code, problemInitOf(fault));
  const staleReason = staleReasonOf(fault, requestId);
  return { configuration: await present(connectionRef, known, staleReason), isFresh: false };
}

/** For a caller that shares another's reading: a newer state may have been stored since. */
async function presentLater(outcome: ReadOutcome): Promise<Configuration> {
  const { connectionRef, shown, fault } = outcome;
  if (fault) return (await presentOutcome(outcome)).configuration;
  const known = await loadLastKnown(db(), connectionRef);
  const isNewest = (shown.confirmed?.epoch ?? 0) >= known.epoch;
  return present(connectionRef, isNewest ? { confirmed: shown.confirmed } : known);
}

/** Calls the service, records its answer, and publishes the reading. `known`: if the caller has just loaded it. */
async function fetchAndRecord(
  start: ConnectionRef,
  options: CallOptions,
  known?: LastKnown,
): Promise<ReadOutcome> {
  const began = { at: databaseTime(), by: options.background ? "watch" : "other" } as const;
  let listMs: number | null = null;
  const onCall = (line: CallLine) => {
    if (line.call === "list") listMs = line.durationMs;
  };
  const outcome = await askAndConfirm(start, { ...options, onCall }, known);
  const { connectionRef, shown, fault } = outcome;
  const facts = outcome.isConfirmed ? (shown.confirmed ?? null) : null;
  const reading: Reading = {
    ...began,
    connectionRef,
    listMs,
    fault,
    facts,
  };
  publishReading(reading);
  return { connectionRef, shown, fault, requestId: options.requestId, reading };
}

/** Holds no lock while the service answers, so that no save waits for it. */
async function askAndConfirm(
  start: ConnectionRef,
  options: CallOptions,
  loaded: LastKnown | undefined,
): Promise<Omit<ReadOutcome, "reading" | "requestId"> & { isConfirmed: boolean }> {
  let connectionRef = start;
  for (let tries = 1; ; tries += 1) {
    const known = (tries === 1 && loaded) || (await loadLastKnown(db(), connectionRef));
    // Loaded before the service is read: its answer proves nothing about what happens since.
    const saves = known.isFollowed ? await followedSaves(connectionRef.connection) : [];
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
      return { connectionRef, shown: known, fault, isConfirmed: false };
    }
    const again = await confirmUnchanged(connectionRef, known, fetched);
    if (again) {
      const shown = { confirmed: again, noneOpen: true as const };
      return { connectionRef, shown, fault: null, isConfirmed: true };
    }
    const confirmed = await confirmReading({ connectionRef, known, fetched, saves });
    if (typeof confirmed !== "string")
      return { connectionRef, shown: confirmed, fault: null, isConfirmed: true };
    if (confirmed === "newer" && tries < maxTries) {
      // Another client would see its own webhooks, and forget what is known of the present one's.
      connectionRef = (await withCredentialsNow(connectionRef)) ?? connectionRef;
      continue;
    }
    return { connectionRef, shown: unconfirmed(known, fetched), fault: null, isConfirmed: false };
  }
}

/**
 * The fetched state without authors: a save is in progress, and only the holder of its lock decides how it ends. The
 * epoch lies between the one stored before the fetch and any stored after it.
 */
function unconfirmed(
  { confirmed, epoch }: LastKnown,
  { remote, requestedAt }: Extract<RemoteFetch, { ok: true }>,
) {
  const { lastChanges = {}, known, outside, written } = confirmed ?? {};
  const between = { requestedAt: requestedAt.processTime, epoch: epoch + 0.5 };
  return { confirmed: { remote, lastChanges, known, outside, written, ...between } };
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
  /** The confirmed facts; null where it failed, or while a save is in progress, whose process alone knows its state. */
  facts: LastKnownContent | null;
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
