import "server-only";
import { db } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/schema";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { shownFingerprints, type ShowFingerprint } from "@/lib/platform/secrets/partner-mac";
import * as z from "zod/mini";
import { historyDetail, isHistoryKind } from "@/lib/history/model/entry";
import { typedValue, type HistoryItem } from "@/lib/history/model/item";

/**
 * Rows of one chain as they are handed out, chosen field by field. Does not throw for a row: one that nobody understands
 * any more is shown for what is known of it.
 */
export async function presentRows(
  chainId: string,
  rows: readonly HistoryRow[],
): Promise<HistoryItem[]> {
  if (rows.length === 0) return [];
  const show = await shownFingerprints(db(), chainId);
  return rows.map((row) => presentRow(row, show));
}

function presentRow(row: HistoryRow, show: ShowFingerprint): HistoryItem {
  const types = row.types.split(",");
  return {
    seq: row.seq,
    id: row.id,
    at: isoTime(row.at),
    environment: row.environment,
    kind: row.kind,
    types: webhookTypes.filter((type) => types.includes(type)),
    actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name ?? "" },
    clientAddress: row.client_address,
    requestId: row.request_id,
    outcome: row.outcome,
    detail: detailOf(row, show),
  };
}

/** The last moment that a Date can be. */
const latest = 8.64e15;

function isoTime(at: number): string {
  return new Date(Math.min(Math.max(at, -latest), latest)).toISOString();
}

function detailOf({ kind, types, environment, detail_json }: HistoryRow, show: ShowFingerprint) {
  if (!isHistoryKind(kind)) return null;
  const shown = withShown(parseJson(detail_json), types, (type, fingerprint) =>
    show({ environment, type }, fingerprint),
  );
  return z.safeParse(historyDetail[kind], shown).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Every fingerprint as people are shown it. It is of the type that stands beside it or around it; a reveal is of the
 * entry's own.
 */
function withShown(
  value: unknown,
  type: string,
  show: (type: string, fingerprint: string) => string,
): unknown {
  if (Array.isArray(value)) return value.map((part) => withShown(part, type, show));
  if (typeof value !== "object" || value === null) return value;
  const own = "type" in value && typeof value.type === "string" ? value.type : type;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [
      key,
      key === "fingerprint" && typeof part === "string" && part !== typedValue
        ? show(own, part)
        : withShown(part, own, show),
    ]),
  );
}
