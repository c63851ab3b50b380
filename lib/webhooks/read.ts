import "server-only";
import { requireEnvironment, requirePartner } from "@/lib/access/require";
import { connectionOf } from "@/lib/partners/connection";
import { noteFault } from "@/lib/partners/overview";
import type { CallOptions } from "@/lib/partner-api/types";
import { ProblemError } from "@/lib/problem";
import type { Configuration } from "./configuration";
import { confirmLook } from "./confirm-look";
import { loadConfirmed } from "./confirmed";
import { lockConnection } from "./connection-lock";
import { problemInitOf, staleReasonOf } from "./fault-problem";
import { look, type Look, type Place } from "./look";
import { present } from "./present";
import { withProposals } from "./proposals/with-proposals";
import { readTogether } from "./read-together";
import { openSaves } from "./save-record";
import { db } from "@/lib/db/open";

/**
 * What the service holds now. Where it cannot be asked: the last confirmed configuration, marked as stale.
 * Throws the problems of `requirePartner`, `not_connected`, or the fault where nothing was ever confirmed.
 */
export async function readConfiguration(
  partnerId: string,
  environmentName: string,
  options: CallOptions,
): Promise<Configuration> {
  const access = await requirePartner(partnerId, "webhooks.read");
  return withProposals(await readPlace(await placeOf(access.partner.id, environmentName), options));
}

/** Takes the partner's id on trust. Throws `not_found` or `not_connected`. */
export async function placeOf(partnerId: string, environmentName: string): Promise<Place> {
  const environment = requireEnvironment(environmentName);
  const connection = await connectionOf(partnerId, environment);
  if (!connection) throw new ProblemError("not_connected");
  return { partnerId, environment: environment.name, connection };
}

async function readPlace(place: Place, options: CallOptions): Promise<Configuration> {
  const unsettled = (await openSaves(place.connection.id)).length > 0;
  if (!unsettled) {
    const { requestId, timeoutMs, signal } = options;
    const confirmed = await loadConfirmed(db(), place.connection.id);
    signal?.throwIfAborted();
    // Without the signal: others may still wait for the answer when this reader has gone.
    const shared = { requestId, ...(timeoutMs !== undefined && { timeoutMs }) };
    return readTogether(place, confirmed, timeoutMs, () => lookOnce(place, shared, false));
  }
  // Only the holder of the lock may say how a save ended; while somebody else holds it, a save is still under way.
  const lock = await lockConnection(place.connection.id, 0);
  try {
    return await lookOnce(place, options, lock !== null);
  } finally {
    await lock?.release();
  }
}

async function lookOnce(
  start: Place,
  options: CallOptions,
  settling: boolean,
): Promise<Configuration> {
  for (let again = true; ; again = false) {
    const before = await loadConfirmed(db(), start.connection.id);
    const { place, seen } = await lookAsNow(start, options);
    if (!seen.ok) {
      const { code } = seen.fault;
      await noteFault(place, { code, requestId: options.requestId, epoch: before?.epoch ?? 0 });
      if (!before) throw new ProblemError(seen.fault.code, problemInitOf(seen.fault));
      return present(place, before, staleReasonOf(seen.fault, options.requestId));
    }
    const { snapshot } = seen;
    const open = await openSaves(place.connection.id);
    if (open.length > 0 && !settling)
      return present(place, {
        snapshot,
        lastChanges: before?.lastChanges ?? {},
        confirmedAt: Date.now(),
      });
    const confirmed = await confirmLook(place, before, snapshot, open);
    // Somebody stored a newer look meanwhile: ours may be from before their save.
    if (confirmed ?? !again)
      return present(
        place,
        confirmed ?? { snapshot, lastChanges: before?.lastChanges ?? {}, confirmedAt: Date.now() },
      );
  }
}

/** Looks; where credentials are refused that were replaced meanwhile, once more with those in use now. */
async function lookAsNow(
  place: Place,
  options: CallOptions,
): Promise<{ place: Place; seen: Look }> {
  const seen = await look(place, options);
  if (seen.ok || seen.fault.code !== "credentials_rejected") return { place, seen };
  const now = await placeOf(place.partnerId, place.environment);
  if (now.connection.version === place.connection.version) return { place, seen };
  return { place: now, seen: await look(now, options) };
}
