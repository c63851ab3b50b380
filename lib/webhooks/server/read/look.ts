import "server-only";
import { db } from "@/lib/platform/database/open";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { makeFault } from "@/lib/platform/payment-service/answers/make-fault";
import type { CallOptions, PartnerConnection } from "@/lib/platform/payment-service/types";
import type { LastKnown } from "./confirmed";
import { currentFrom, type Current } from "./current";
import { partnerApi } from "./partner-api";
import { remoteStateOf, type RemoteState } from "./snapshot";

/** Where a configuration is: a partner's connection for one environment. */
export type Place = { partnerId: string; environment: string; connection: PartnerConnection };

/** When the service was asked: an answer is as old as its question. */
export type AskedAt = {
  /** On the steady clock, which all processes share. */
  steady: number;
  /** On this process's own clock, which never jumps either. */
  own: number;
};

/** One look at what the service holds. */
export type RemoteFetch =
  | { ok: true; current: Current; remote: RemoteState; askedAt: AskedAt }
  | { ok: false; fault: Fault };

/**
 * Asks the service, and stores nothing. A "not found" in other words than the contract's (7.2) is `misconfigured` where
 * the service is known to have held something: nothing can be removed there, so it says nothing of what is registered.
 */
export async function fetchRemoteState(
  { partnerId, connection }: Place,
  known: LastKnown,
  options: CallOptions,
): Promise<RemoteFetch> {
  const own = performance.now();
  const askedAt = { own, steady: Math.round(known.now + (own - known.loadedAt)) };
  const list = await partnerApi().list(connection, options);
  if (!list.ok) return list;
  if (list.unclear && hasHeld(known))
    return { ok: false, fault: makeFault("misconfigured", "list", { upstreamStatus: 404 }) };
  const current = currentFrom(list);
  return { ok: true, current, remote: await remoteStateOf(db(), partnerId, current), askedAt };
}

function hasHeld({ confirmed }: LastKnown): boolean {
  if (!confirmed) return false;
  const { webhooks, unrecognised } = confirmed.remote;
  return Object.keys(webhooks).length + unrecognised.length > 0;
}
