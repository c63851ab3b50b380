import type { HistoryRow } from "@/lib/platform/database/schema";

/** Every column but the `mac` itself, in a fixed order, after the `mac` of the row before: what the chain covers. */
export function canonicalRow(row: Omit<HistoryRow, "mac">, macBefore: string): string {
  return JSON.stringify([
    macBefore,
    row.partner_id,
    row.seq,
    row.id,
    row.environment,
    row.at,
    row.kind,
    row.types,
    row.actor_id,
    row.actor_name,
    row.client_address,
    row.request_id,
    row.outcome,
    row.detail_json,
  ]);
}
