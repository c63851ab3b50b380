import "server-only";
import { erasedPerson } from "@/lib/platform/secrets/model/erased-person";
import { db } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { shownFingerprints, type ShowFingerprint } from "@/lib/platform/secrets/partner-mac";
import { openingOf } from "@/lib/platform/secrets/person-keys";
import { withDistinctNames } from "./distinct-names";
import * as z from "zod/mini";
import { historyDetail, isHistoryKind } from "@/lib/history/model/entry";
import { withPersonal } from "@/lib/history/model/personal";
import { typedValue, type HistoryItem } from "@/lib/history/model/item";

/**
 * Rows of one chain as answered, chosen field by field. Does not throw for a row: one that cannot be parsed any more
 * shows what is known of it.
 */
export async function presentRows(
  chainId: string,
  rows: readonly HistoryRow[],
): Promise<HistoryItem[]> {
  if (rows.length === 0) return [];
  const show = await shownFingerprints(db(), chainId);
  const open = await openedPersons(chainId, rows);
  const items = rows.map((row) => presentRow(row, show, open));
  return withDistinctNames(db(), chainId, items);
}

/** Names and addresses as they are, or that they were erased. Reads the keys once for all of these rows. */
export async function openedPersons(
  chainId: string,
  rows: readonly Partial<Pick<HistoryRow, "actor_name" | "client_address" | "detail_json">>[],
): Promise<(text: string) => string> {
  const texts = rows.flatMap(({ actor_name, client_address, detail_json }) =>
    [actor_name, client_address, detail_json].filter((text) => typeof text === "string"),
  );
  const open = await openingOf(db(), chainId, texts);
  return (text) => open(text) ?? erasedPerson;
}

function presentRow(
  row: HistoryRow,
  show: ShowFingerprint,
  open: (text: string) => string,
): HistoryItem {
  const types = row.types.split(",");
  return {
    seq: row.seq,
    id: row.id,
    at: isoTime(row.at),
    environment: row.environment,
    kind: row.kind,
    types: webhookTypes.filter((type) => types.includes(type)),
    actor: row.actor_id === null ? null : { id: row.actor_id, name: open(row.actor_name ?? "") },
    clientAddress: addressOf(row, open),
    requestId: row.request_id,
    outcome: row.outcome,
    detail: detailOf(row, show, open),
  };
}

function addressOf({ client_address }: HistoryRow, open: (text: string) => string): string | null {
  const address = client_address === null ? null : open(client_address);
  return address === erasedPerson ? null : address;
}

/** The last timestamp that a Date can hold. */
const latest = 8.64e15;

function isoTime(at: number): string {
  return new Date(Math.min(Math.max(at, -latest), latest)).toISOString();
}

function detailOf(
  { kind, environment, actor_id, detail_json }: HistoryRow,
  show: ShowFingerprint,
  open: (text: string) => string,
) {
  if (!isHistoryKind(kind)) return null;
  const shown = withShown(parseJson(detail_json), (fingerprint) => show(environment, fingerprint));
  const detail = z.safeParse(historyDetail[kind], shown).data;
  return detail ? withPersonal(kind, detail, actor_id, (_owner, text) => open(text)) : null;
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
