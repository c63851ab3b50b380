import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { readTimings } from "@/lib/platform/runtime/timings";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { loadKnown, type LastLook, type ShownLook } from "@/lib/webhooks/server/observe/observed";
import {
  readNow,
  requireKnownConnection,
  sharedReading,
  type KnownConnection,
  type ReadOutcome,
} from "@/lib/webhooks/server/observe/reading";
import type { ConnectionRef } from "@/lib/webhooks/server/observe/remote-state";
import { setTimeout as pause } from "node:timers/promises";
import { present, problemInitOf, staleReasonOf } from "./configuration";

/**
 * What the service lists now. Where it cannot be read: what the last look showed, marked as stale. Throws `not_found`,
 * `not_connected`, or the fault where there was no look yet.
 */
export async function readConfiguration(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
  options: CallOptions,
): Promise<Configuration> {
  return readAt(await requireKnownConnection(access, environmentName), options);
}

/** What a page has of a reading: what was shown when it was drawn, and what comes of the reading. */
export type OpenReading = {
  /** The reading itself where it ended at once; else what the last look showed, or null where there was none yet. */
  shown: Configuration | null;
  /** The look behind it. */
  look: ShownLook | null;
  /** Null where `shown` is its outcome. Does not reject: a problem where nothing is known, null where it failed. */
  reading: Promise<Configuration | ProblemError | null> | null;
};

/**
 * Begins to read what the service lists, and does not wait for it where something is known: a page shows that, with its
 * age, and then the reading. Throws as `readConfiguration` does where the reading ends at once.
 */
export async function openReading(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
  options: CallOptions,
): Promise<OpenReading> {
  const connection = await requireKnownConnection(access, environmentName);
  const reading = lookAt(connection, options);
  const first = await Promise.race([reading, pause(readTimings.atOnceMs, null)]);
  if (first) return { shown: first.configuration, look: first.look, reading: null };
  const ended = reading.then(({ configuration }) => configuration);
  const later = ended.catch((error: unknown) => {
    if (error instanceof ProblemError) return error;
    log.error({ err: error, ...options }, "a reading failed after its page was sent");
    return null;
  });
  const { connectionRef, known, secondPeople } = connection;
  const { last } = known;
  const shown = last && (await present(connectionRef, last, { secondPeople }));
  return { shown, look: last && { connectionRef, last }, reading: later };
}

/** As `readConfiguration`, for callers that already have the connection. */
export async function readAt(
  connection: KnownConnection,
  options: Pick<CallOptions, "requestId">,
): Promise<Configuration> {
  return (await lookAt(connection, options)).configuration;
}

async function lookAt(
  connection: KnownConnection,
  options: Pick<CallOptions, "requestId">,
): Promise<Presented> {
  const { isOwn, ...outcome } = await sharedReading(connection, options);
  if (isOwn || outcome.fault) return presentOutcome(outcome);
  // A newer look may have been stored since the one that this caller shares.
  const { last, epoch } = await loadKnown(db(), outcome.connectionRef);
  const isNewest = (outcome.last?.epoch ?? 0) >= epoch;
  const newest = isNewest ? outcome : { ...outcome, last, saves: null };
  // They may have changed, too.
  return presentOutcome({ ...newest, secondPeople: undefined });
}

/** The same for a caller that must not share another's reading. */
export async function readAlone(
  connectionRef: ConnectionRef,
  options: CallOptions,
): Promise<Configuration> {
  return (await presentOutcome(await readNow(connectionRef, options))).configuration;
}

type Presented = { configuration: Configuration; look: ShownLook };

/** Throws the fault where there was no look yet. */
async function presentOutcome({
  connectionRef,
  last,
  saves,
  secondPeople,
  fault,
  requestId,
}: Omit<ReadOutcome, "reading">): Promise<Presented> {
  const of = async (
    look: LastLook,
    loaded: Pick<ReadOutcome, "saves" | "secondPeople">,
    staleReason?: Configuration["staleReason"],
  ) => ({
    configuration: await present(connectionRef, look, loaded, staleReason),
    look: { connectionRef, last: look },
  });
  if (!fault && last) return of(last, { saves, secondPeople });
  // Loads it again: a save may have ended since the service was called.
  const known = await loadKnown(db(), connectionRef);
  if (known.last)
    return of(known.last, { saves: null }, fault ? staleReasonOf(fault, requestId) : undefined);
  if (!fault) throw new Error("a reading without a fault showed nothing");
  throw new ProblemError(fault.code, problemInitOf(fault));
}
