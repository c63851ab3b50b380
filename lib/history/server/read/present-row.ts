import "server-only";
import { db } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { shownFingerprints, type ShowFingerprint } from "@/lib/platform/secrets/partner-mac";
import { withDistinctNames } from "./distinct-names";
import * as z from "zod/mini";
import { historyDetail, isHistoryKind } from "@/lib/history/model/entry";
import { withNames } from "@/lib/history/model/names";
import { namesIn, type NamesOf } from "./names";
import { typedValue, type HistoryItem } from "@/lib/history/model/item";

/**
 * Rows of one chain as the API answers them, chosen field by field. A row that cannot be parsed any more does not
 * throw: it shows what is known of it.
 */
export async function presentRows(
  chainId: string,
  rows: readonly HistoryRow[],
): Promise<HistoryItem[]> {
  if (rows.length === 0) return [];
  const show = await shownFingerprints(db(), chainId);
  const read = rows.map((row) => ({ row, detail: parseJson(row.detail_json) }));
  const nameOf = await namesIn(
    db(),
    chainId,
    rows.flatMap(({ actor_id }) => actor_id ?? []),
    read.map(({ detail }) => detail),
  );
  const items = read.map(({ row, detail }) => presentRow(row, detail, show, nameOf));
  return withDistinctNames(db(), chainId, items);
}

function presentRow(
  row: HistoryRow,
  detail: unknown,
  show: ShowFingerprint,
  nameOf: NamesOf,
): HistoryItem {
  const types = row.types.split(",");
  return {
    seq: row.seq,
    id: row.id,
    at: isoTime(row.at),
    environment: row.environment,
    kind: row.kind,
    types: webhookTypes.filter((type) => types.includes(type)),
    actor:
      row.actor_id === null
        ? null
        : { id: row.actor_id, name: nameOf({ of: "user", id: row.actor_id }, "name") },
    clientAddress: row.client_address,
    requestId: row.request_id,
    outcome: row.outcome,
    detail: detailOf(row, detail, show, nameOf),
  };
}

/** The last timestamp that a Date can hold. */
const latest = 8.64e15;

function isoTime(at: number): string {
  return new Date(Math.min(Math.max(at, -latest), latest)).toISOString();
}

function detailOf(
  { kind, environment }: HistoryRow,
  detail: unknown,
  show: ShowFingerprint,
  nameOf: NamesOf,
) {
  if (!isHistoryKind(kind)) return null;
  const named = withNames(detail, (_text, owner, field) => nameOf(owner, field));
  const shown = withShown(named, (fingerprint) => show(environment, fingerprint));
  return z.safeParse(historyDetail[kind], shown).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Every fingerprint in its short form. */
function withShown(value: unknown, show: (fingerprint: string) => string): unknown {
  if (Array.isArray(value)) return value.map((part) => withShown(part, show));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [
      key,
      key === "fingerprint" && typeof part === "string" && part !== typedValue
        ? show(part)
        : withShown(part, show),
    ]),
  );
}
