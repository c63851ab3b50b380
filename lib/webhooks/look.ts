import "server-only";
import { db } from "@/lib/db/open";
import type { Fault } from "@/lib/partner-api/fault";
import type { CallOptions, PartnerConnection } from "@/lib/partner-api/types";
import { currentFrom, type Current } from "./current";
import { partnerApi } from "./partner-api";
import { snapshotOf, type Snapshot } from "./snapshot";

/** Where a configuration is: a partner's connection for one environment. */
export type Place = { partnerId: string; environment: string; connection: PartnerConnection };

/** One look at what the service holds. */
export type Look = { ok: true; current: Current; snapshot: Snapshot } | { ok: false; fault: Fault };

/** Asks the service, and stores nothing. */
export async function look({ partnerId, connection }: Place, options: CallOptions): Promise<Look> {
  const list = await partnerApi().list(connection, options);
  if (!list.ok) return list;
  const current = currentFrom(list);
  return { ok: true, current, snapshot: await snapshotOf(db(), partnerId, current) };
}
