import "server-only";
import type { HistoryRow } from "@/lib/db/schema";
import { webhookTypes } from "@/lib/partner-api/contract/terms";
import * as z from "zod/mini";
import { historyDetail, isHistoryKind } from "./entry";
import type { HistoryItem } from "./view/item";

/** Chosen field by field. Never throws: an entry that nobody understands any more is shown for what is known of it. */
export function presentRow(row: HistoryRow): HistoryItem {
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
    detail: detailOf(row),
  };
}

/** The last moment that a Date can be. */
const latest = 8.64e15;

function isoTime(at: number): string {
  return new Date(Math.min(Math.max(at, -latest), latest)).toISOString();
}

function detailOf({ kind, detail_json }: HistoryRow): unknown {
  if (!isHistoryKind(kind)) return null;
  return z.safeParse(historyDetail[kind], shortFingerprints(parseJson(detail_json))).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Enough to compare by eye; the whole HMAC would allow nothing more. */
function shortFingerprints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortFingerprints);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === "fingerprint" && typeof part === "string"
        ? part.slice(0, 8)
        : shortFingerprints(part),
    ]),
  );
}
