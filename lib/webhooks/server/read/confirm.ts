import "server-only";
import { holdLease, releaseWith, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import type { HistoryDetail } from "@/lib/history/model/entry";
import { recordHistory } from "@/lib/history/server/record/record";
import { recordOverview, type Overview } from "@/lib/partners/server/list/overview";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { Transaction } from "kysely";
import {
  type LastKnown,
  type LastKnownContent,
  type LastKnownState,
  loadLastKnown,
  storeConfirmation,
  storeLastKnown,
} from "./last-known";
import { type ConnectionRef, type RemoteFetch, versionOf } from "./remote-state";
import { isOpen, reconcile, type Reconciled, type Resolution } from "./reconcile";
import { lockWithin } from "@/lib/webhooks/server/save/connection-lock";
import {
  followedSaves,
  followMs,
  changesHistory,
  recordSaveStatus,
  type SaveRecord,
  type SaveStatus,
  saveStatusOf,
} from "@/lib/webhooks/server/save/save-record";
import { type WebhookType, webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { maxOutside, outsideThisHour } from "@/lib/history/server/record/alerts";
import { missingMayBeRegistered } from "@/lib/webhooks/model/registered";
import { compareVersions, type WebhookVersion } from "@/lib/webhooks/model/webhook-version";

type Fetched = Extract<RemoteFetch, { ok: true }>;

export type ConfirmedFetch = {
  confirmed: LastKnownState;
  own: SaveStatus | null;
};

type Given = {
  connectionRef: ConnectionRef;
  /** Loaded before the service was read. */
  known: LastKnown;
  fetched: Fetched;
  /** Saves that were still followed before the service was read. */
  saves?: readonly SaveRecord[];
  /** The connection's lock, of a save: only its holder may end saves. */
  lease?: Lease;
  /** The caller's own save, just sent, and the reason to doubt that it succeeded. */
  own?: {
    save: SaveRecord;
    reasonOf: (outcome: SaveStatus["outcome"]) => ProblemCode | null;
  } | null;
};

/** What a fetch proves, before anything is stored. */
export function interpret({ known, fetched, saves = [], own }: Given) {
  return reconcile<SaveRecord>({
    known,
    requestedAt: fetched.requestedAt.steady,
    remote: fetched.remote,
    saves,
    own: own?.save ?? null,
    followMs: followMs(),
    confirmMs: saveTimings.confirmMs,
  });
}

/**
 * Stores a fetched state as the last known one, in one transaction with everything it proves: the state of the caller's
 * own save; how followed saves ended; and changes made outside Gancho. null when a newer state was stored meanwhile: the
 * caller then fetches again. Throws `LeaseLost`.
 */
export async function confirmFetch(given: Given): Promise<ConfirmedFetch | null> {
  return db()
    .transaction()
    .execute((trx) => confirmWithin(trx, given));
}

/**
 * The same for a reading, which takes the lock for this transaction alone, where there are saves to end. `saving`: a
 * save is in progress, and only its process knows how far it is. `newer`: the stored state has changed since the
 * service was read; the caller then fetches again.
 */
export async function confirmReading(
  given: Omit<Given, "lease"> & { saves: readonly SaveRecord[] },
): Promise<ConfirmedFetch | "saving" | "newer"> {
  const { connectionRef, saves } = given;
  const { connection } = connectionRef;
  return db()
    .transaction()
    .execute(async (trx) => {
      const lease = saves.length > 0 ? await lockWithin(trx, connection.id) : null;
      if (saves.length > 0 && !lease) return "saving";
      const now = await followedSaves(connection, trx);
      const isAsKnown = sameSaves(saves, now);
      const confirmed = isAsKnown ? await confirmWithin(trx, given) : null;
      if (lease) await releaseWith(trx, lease);
      if (!isAsKnown && now.some(isInProgress)) return "saving";
      return confirmed ?? "newer";
    });
}

function sameSaves(before: readonly SaveRecord[], now: readonly SaveRecord[]): boolean {
  // A person may have been erased meanwhile.
  const nameOf = ({ id, state, results, names }: SaveRecord) =>
    JSON.stringify([id, state, results, names]);
  return before.map(nameOf).join() === now.map(nameOf).join();
}

/** No outcome is recorded yet. */
function isInProgress({ results }: SaveRecord): boolean {
  return results === null;
}

async function confirmWithin(
  trx: Transaction<Database>,
  given: Given,
): Promise<ConfirmedFetch | null> {
  const { connectionRef, known, fetched, own } = given;
  const findings = interpret(given);
  const ownResult = findings.resolutions.find(({ save }) => save === own?.save);
  const status =
    own && ownResult ? saveStatusOf(ownResult.results, own.reasonOf(ownResult.outcome)) : null;
  if (given.lease) await holdLease(trx, given.lease);
  const { gatheredElsewhere } = known;
  const { entry, again, gathered } = await mergeOutsideChanges(trx, connectionRef, {
    outside: findings.outside,
    again: findings.again,
    gathered: gatheredElsewhere ?? findings.content.gathered,
    isNow: given.lease !== undefined || gatheredElsewhere !== undefined,
  });
  const content = { ...findings.content, gathered };
  // A save stores only its first and its last reading, and others none once it is recorded: nothing lasts through it.
  if (given.lease) content.returned = {};
  const confirmed = await storeLastKnown(trx, connectionRef, known, {
    content,
    requestedAt: fetched.requestedAt,
  });
  if (!confirmed) return null;
  await recordOverview(trx, connectionRef, overviewOfKnown(content));
  for (const resolution of findings.resolutions)
    if (resolution.save !== own?.save) await recordResolution(trx, resolution);
  if (own && status) await recordSaveStatus(trx, own.save, status);
  if (entry) await recordUnsaved(trx, connectionRef, "changed_outside", entry);
  if (again.length > 0)
    await recordUnsaved(trx, connectionRef, "shown_again", { changes: [...again] });
  // The caller's own save is done, and its lock would only block the next one.
  if (given.lease && status) await releaseWith(trx, given.lease);
  return { confirmed, own: status };
}

/** Where a reading found nothing new, stores only its time and returns the state; else null. */
export async function confirmUnchanged(
  connectionRef: ConnectionRef,
  known: LastKnown,
  fetched: Fetched,
): Promise<LastKnownState | null> {
  const findings = interpret({ connectionRef, known, fetched });
  if (!changesNothing(findings, known)) return null;
  const { content } = findings;
  return storeConfirmation(connectionRef, known, { content, requestedAt: fetched.requestedAt });
}

/** Whether storing the state would change nothing but its age. */
export function changesNothing(findings: Reconciled<SaveRecord>, { confirmed }: LastKnown) {
  const { content, outside, again, resolutions } = findings;
  return (
    confirmed !== null &&
    outside.length === 0 &&
    again.length === 0 &&
    !content.gathered &&
    Object.keys({ ...confirmed.returned, ...content.returned }).length === 0 &&
    resolutions.every(({ save, results }) => sameResults(save, results))
  );
}

/** The same as `confirmFetch`, for the holder of the lock: only readers compete with it, so few retries are enough. */
export async function confirmWithLock(given: Given): Promise<ConfirmedFetch> {
  for (let known = given.known; ; known = await loadLastKnown(db(), given.connectionRef)) {
    const confirmed = await confirmFetch({ ...given, known });
    if (confirmed) return confirmed;
  }
}

async function recordResolution(
  trx: Transaction<Database>,
  { save, results, outcome }: Resolution<SaveRecord>,
): Promise<void> {
  const attributable =
    save.sinceSentMs < followMs() && results.some((result) => result.outcome === "overtaken");
  const closes = save.state === "ended" && !attributable;
  if (sameResults(save, results) && !closes) return;
  // That an outcome stays unknown is news; that a refusal stays one is not.
  const isEnd = save.state !== "ended" && !isOpen(results) && outcome === "unknown";
  const reason =
    save.state === "recorded" ? "not_saved" : outcome === "unknown" ? "outcome_unknown" : null;
  const status = saveStatusOf(results, outcome === "partial" ? "partly_saved" : reason);
  await recordSaveStatus(trx, save, status, {
    inHistory: changesHistory(save, results) || isEnd,
    attributable,
  });
}

function sameResults({ results: before, state }: SaveRecord, now: SaveRecord["results"]): boolean {
  return state !== "recorded" && JSON.stringify(before) === JSON.stringify(now);
}

/** Changes that no followed save explains. */
async function recordUnsaved(
  trx: Transaction<Database>,
  { partnerId, environment }: ConnectionRef,
  kind: "changed_outside" | "shown_again",
  entry: HistoryDetail["changed_outside"],
): Promise<void> {
  await recordHistory(trx, {
    partnerId,
    environment,
    kind,
    types: entry.changes.map((change) => change.type),
    actor: null,
    requestId: null,
    outcome: "seen",
    detail: entry,
  });
}

/**
 * What the list of partners shows of the remote state; of a missing type that may be registered, what was known last.
 * `withoutAuthorization`: the service shows no value, and Gancho has not written one that it may hide.
 */
export function overviewOfKnown({
  remote,
  known,
  written,
}: Pick<LastKnownContent, "remote" | "known" | "written">): Overview {
  const stateOf = (type: WebhookType) => {
    const webhook = remote.webhooks[type];
    // An earlier "not registered" proves nothing now.
    if (!webhook && missingMayBeRegistered(remote)) return known?.[type] ?? undefined;
    return versionOf(webhook);
  };
  return {
    hosts: { pix_in: hostOf(stateOf("pix_in")), pix_out: hostOf(stateOf("pix_out")) },
    withoutAuthorization: webhookTypes.filter(
      (type) => stateOf(type)?.hidden === "absent" && !written?.[type]?.value,
    ),
  };
}

/**
 * The service may hold something that is no address: shown as it is, with control characters replaced and cut to the
 * column's length. PostgreSQL refuses a zero byte or a longer text, and the whole reading would be lost. Empty where
 * nothing is known of the type.
 */
function hostOf(state: WebhookVersion | undefined): string | null {
  if (!state) return state === undefined ? "" : null;
  const { callbackUrl } = state;
  const host = URL.canParse(callbackUrl) ? new URL(callbackUrl).host : callbackUrl;
  return host.replace(/\p{Cc}/gu, "\ufffd").slice(0, 255);
}

type Gathered = NonNullable<LastKnownContent["gathered"]>;

type Found = {
  /** Changes in this fetch that no save explains. */
  outside: readonly WebhookChange[];
  /** What a save had set and is shown again. */
  again: readonly WebhookChange[];
  gathered: Gathered | undefined;
  /** A save begins or ends, or another client reads: earlier changes must be recorded before it. */
  isNow: boolean;
};

/** What the history records now, in this order, and what waits for a later entry. */
type OutsideRecord = {
  entry: HistoryDetail["changed_outside"] | null;
  again: readonly WebhookChange[];
  gathered: Gathered | undefined;
};

/**
 * What the history records of outside changes, and what is kept for its next entry about them. Anybody with the
 * credentials can make any number of changes, and entries stay forever. So in an hour each connection gets `maxOutside`
 * entries, the last of which says so, and later one for all others together.
 */
async function mergeOutsideChanges(
  trx: Transaction<Database>,
  environmentRef: { partnerId: string; environment: string },
  { outside, again, gathered, isNow }: Found,
): Promise<OutsideRecord> {
  if (outside.length === 0 && again.length === 0 && !gathered)
    return { entry: null, again, gathered: undefined };
  const follows = outside.every(({ type, before }) => {
    const earlier = gathered?.changes[type];
    return !earlier || compareVersions(earlier.after, before) !== "different";
  });
  // The change in between was a save, and has its own entry.
  if (gathered && !follows) return { entry: toEntry(gathered), again, gathered: append(outside) };
  const recorded = await outsideThisHour(trx, environmentRef);
  if (recorded >= maxOutside && !isNow)
    return { entry: null, again: [], gathered: append([...outside, ...again], gathered) };
  const all = append(outside, gathered);
  const entry = gathered && all ? toEntry(all) : { changes: [...outside] };
  if (entry.changes.length === 0) return { entry: null, again, gathered: undefined };
  const isLast = recorded === maxOutside - 1;
  return { entry: { ...entry, ...(isLast && { isLast }) }, again, gathered: undefined };
}

function append(outside: readonly WebhookChange[], before?: Gathered): Gathered | undefined {
  if (outside.length === 0) return before;
  const changes = { ...before?.changes };
  for (const { type, before: was, after } of outside)
    changes[type] = { before: changes[type] ? changes[type].before : was, after };
  return { changes, since: before?.since ?? databaseTime(), count: (before?.count ?? 0) + 1 };
}

function toEntry({ changes, since, count }: Gathered): HistoryDetail["changed_outside"] {
  return {
    changes: webhookTypes.flatMap((type) => {
      const change = changes[type];
      return change ? [{ type, outcome: "seen", ...change }] : [];
    }),
    gathered: { since, count },
  };
}
