import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { countLongReading } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { csvLines, csvStart, csvStyle, type CsvStyle } from "./csv-lines";
import { findEntries, type Criteria, criteriaOf } from "@/lib/history/server/read/find";
import { presentRows } from "@/lib/history/server/read/present-row";
import { removedWithin, startOf } from "@/lib/history/server/verify/read-chain";
import type { Reader } from "@/lib/platform/i18n/reader";
import type { HistoryItem } from "@/lib/history/model/item";
import type { HistoryQuery } from "@/lib/history/model/query";

/** Entries read at once. Bounds the memory of an export of any length. */
const batchSize = 500;

export type HistoryDownload = {
  body: ReadableStream<Uint8Array>;
  contentType: string;
  fileName: string;
};

/**
 * All entries that match the query, newest first: from its cursor on, or from the newest entry now. Read in batches,
 * each when the receiver is ready for it; a receiver that goes away stops it. A failure breaks the download off, so
 * that nobody mistakes a part for the whole. Logged with the person; reading the history makes no entry. Throws the
 * problems of `readHistory`, and `too_many_requests`.
 */
export async function exportHistory(
  { partner, viewer }: PartnerAccess<"history.read">,
  query: HistoryQuery & { format: "csv" | "json" },
  requestId: string,
  reader: Reader,
): Promise<HistoryDownload> {
  await countLongReading("exports", { person: viewer.id });
  const name = `history-${partner.id}-${query.environment ?? "all-environments"}`;
  return exportChain(
    { chainId: partner.id, name, about: { partner: partner.id } },
    criteriaOf(query),
    { ...query, reader },
    { requestId, userId: viewer.id },
  );
}

type Chain = {
  chainId: string;
  /** For the file's name. */
  name: string;
  /** The header of the JSON. */
  about: Record<string, unknown>;
};

/** As `exportHistory`, of any chain. Checks no access. */
export async function exportChain(
  { chainId, name, about }: Chain,
  criteria: Criteria,
  {
    cursor,
    format,
    reader,
  }: Pick<HistoryQuery, "cursor"> & { format: "csv" | "json"; reader: Reader },
  by: { requestId: string; userId: string },
): Promise<HistoryDownload> {
  const start = await startOf(chainId, cursor);
  const batches = await startReading(itemsOf(chainId, criteria, start));
  const removed = await removedWithin(chainId, criteria);
  const text =
    format === "csv"
      ? asCsv(batches, csvStyle(reader))
      : asJson(batches, { ...about, ...(removed && { removed }) });
  return {
    body: streamOf(text, { ...by, ...about, format }),
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/json",
    fileName: `${name}-${periodOf(criteria, reader.timeZone)}.${format}`,
  };
}

/** In days of the reader, the last one included. */
function periodOf({ from, until }: Criteria, timeZone: string): string {
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const last = Math.min(databaseTime(), until === undefined ? Infinity : until - 1);
  return `${from === undefined ? "" : `from-${day.format(from)}-`}to-${day.format(last)}`;
}

/** `seal`: as the line of the log has it. */
type SealedItem = HistoryItem & { seal: string };

async function* itemsOf(
  chainId: string,
  criteria: Criteria,
  start: number | null,
): AsyncGenerator<SealedItem[]> {
  let before = start;
  do {
    const found = await findEntries(chainId, criteria, before, batchSize);
    const items = await presentRows(chainId, found.rows);
    if (items.length > 0)
      yield items.map((item, at) => ({ ...item, seal: found.rows[at]?.mac ?? "" }));
    before = found.before;
  } while (before !== null);
}

async function* asCsv(
  batches: AsyncIterable<SealedItem[]>,
  style: CsvStyle,
): AsyncGenerator<string> {
  yield csvStart(style);
  for await (const items of batches) yield items.map((item) => csvLines(item, style)).join("");
}

/** One entry a line, so that programs can read it line by line, too. */
async function* asJson(
  batches: AsyncIterable<SealedItem[]>,
  about: Record<string, unknown>,
): AsyncGenerator<string> {
  const head = { ...about, exportedAt: new Date(databaseTime()).toISOString() };
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[\n`;
  let separator = "";
  for await (const items of batches) {
    yield separator + items.map((item) => JSON.stringify(item)).join(",\n");
    separator = ",\n";
  }
  yield "\n]}\n";
}

/** Produces its first part before the answer begins: an immediate failure is answered as a problem. */
async function startReading<Part>(parts: AsyncGenerator<Part>): Promise<AsyncIterable<Part>> {
  const first = await parts.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* parts;
  })();
}

function streamOf(
  text: AsyncGenerator<string>,
  about: Record<string, unknown>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await text.next();
          if (!done) return controller.enqueue(encoder.encode(value));
          log.info(about, "history exported");
          controller.close();
        } catch (err) {
          log.error({ ...about, err }, "a history export broke off");
          throw err;
        }
      },
      cancel: async () => {
        await text.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
