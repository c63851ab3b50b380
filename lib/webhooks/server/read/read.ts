import "server-only";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { isLeaseLost, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { connectionOf } from "@/lib/partners/server/connection";
import { noteFault } from "@/lib/partners/server/list/overview";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { confirmFetch } from "./confirm";
import { loadLastKnown, type LastKnown } from "./last-known";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import { problemInitOf, staleReasonOf } from "@/lib/webhooks/server/save/fault-problem";
import { fetchRemoteState, type RemoteFetch, type ConnectionRef } from "./remote-state";
import { present } from "./present";
import { readTogether } from "./read-together";
import { followedSaves } from "@/lib/webhooks/server/save/save-record";

/**
 * What the service holds now. Where it cannot be asked: the last confirmed configuration, marked as stale.
 * Throws `not_found`, `not_connected`, or the fault where nothing was ever confirmed.
 */
export async function readConfiguration(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
  options: CallOptions,
): Promise<Configuration> {
  return readAt(await connectionRef(access, environmentName), options);
}

/** The partner's connection, which leads to everything that is read and saved. Throws `not_found` or `not_connected`. */
export async function connectionRef(
  { partner }: PartnerAccess,
  environmentName: string,
): Promise<ConnectionRef> {
  return connectionRefOnTrust(partner.id, environmentName);
}

/** The same for a program, which acts for nobody: it has asked nobody whether they may. */
export async function connectionRefOnTrust(
  partnerId: string,
  environmentName: string,
): Promise<ConnectionRef> {
  const environment = requireEnvironment(environmentName);
  const connection = await connectionOf(partnerId, environment);
  if (!connection) throw new ProblemError("not_connected");
  return { partnerId, environment: environment.name, connection };
}

/** The same as `readConfiguration`, for whoever has the place already. */
export async function readAt(place: ConnectionRef, options: CallOptions): Promise<Configuration> {
  const { requestId, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  // Without the signal: others may still wait for the answer when this reader has gone.
  const shared = { requestId, ...(timeoutMs !== undefined && { timeoutMs }) };
  const { id, version, baseUrl } = place.connection;
  const name = JSON.stringify([id, version, baseUrl, timeoutMs]);
  return readTogether(name, async (begin) => {
    if ((await followedSaves(place.connection)).length === 0)
      return (await readOnce(place, shared, { begin })).configuration;
    // Only the holder of the lock may say how a save ended; while somebody else holds it, a save is still under way.
    const lease = await lockConnection(place.connection.id, 0);
    try {
      return (await readOnce(place, shared, { begin, lease })).configuration;
    } catch (error) {
      if (!isLeaseLost(error)) throw error;
      // This process stood still; whoever holds the lock now says how the saves ended.
      return (await readOnce(place, shared, { begin })).configuration;
    } finally {
      await lease?.release();
    }
  });
}

/** After so many tries, the state is shown without authors. */
const mostTries = 3;

type Reading = {
  configuration: Configuration;
  /** Whether the service could be asked. */
  isFresh: boolean;
};

/** Reads once. `lease`: the connection's lock, held by the caller, so that this reading may end open saves. */
export async function readOnce(
  start: ConnectionRef,
  options: CallOptions,
  { begin, lease = null }: { begin?: () => void; lease?: Lease | null } = {},
): Promise<Reading> {
  for (let tries = 1; ; tries += 1) {
    const known = await loadLastKnown(db(), start);
    // Before the service is asked: an answer that comes late proves nothing about the time since.
    const followed = lease ? await followedSaves(start.connection) : null;
    begin?.();
    const { place, fetched } = await fetchWithCurrentCredentials(start, known, options);
    if (!fetched.ok) {
      const { code } = fetched.fault;
      await noteFault(place, { code, requestId: options.requestId, epoch: known.epoch });
      if (!known.confirmed) throw new ProblemError(code, problemInitOf(fetched.fault));
      const staleReason = staleReasonOf(fetched.fault, options.requestId);
      return { configuration: await present(place, known, staleReason), isFresh: false };
    }
    const saves = followed && place === start ? followed : await followedSaves(place.connection);
    const confirmed =
      saves.length > 0 && !lease
        ? null
        : await confirmFetch({ place, known, fetched, saves, lease });
    if (confirmed) return { configuration: await present(place, confirmed), isFresh: true };
    // Somebody stored a newer state meanwhile: this one may be from before their save.
    if (tries < mostTries && (lease || saves.length === 0)) continue;
    return { configuration: await present(place, unconfirmed(known, fetched)), isFresh: true };
  }
}

/**
 * The fetched state without authors: a save is in flight, and only the holder of its lock may say how it ends. The epoch lies
 * between what was stored before the fetch and whatever is stored after it, so that neither is taken for the other.
 */
function unconfirmed(
  { confirmed, epoch, fidelity }: LastKnown,
  { remote, askedAt }: Extract<RemoteFetch, { ok: true }>,
) {
  const { lastChanges = {}, known } = confirmed ?? {};
  const between = { askedAt: askedAt.own, epoch: epoch + 0.5 };
  return { confirmed: { remote, lastChanges, known, ...between }, fidelity };
}

/** Fetches; if the credentials were refused and have been replaced meanwhile, fetches once more with the new ones. */
async function fetchWithCurrentCredentials(
  place: ConnectionRef,
  known: LastKnown,
  options: CallOptions,
): Promise<{ place: ConnectionRef; fetched: RemoteFetch }> {
  const fetched = await fetchRemoteState(place, known, options);
  if (fetched.ok || fetched.fault.code !== "credentials_rejected") return { place, fetched };
  const now = await connectionRefOnTrust(place.partnerId, place.environment);
  if (now.connection.version === place.connection.version) return { place, fetched };
  return { place: now, fetched: await fetchRemoteState(now, known, options) };
}
