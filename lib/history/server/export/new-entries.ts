import "server-only";
import { presentRows } from "@/lib/history/server/read/present-row";
import { chainStart } from "@/lib/history/server/verify/chain-start";
import type { ChainEnd } from "@/lib/history/server/verify/anchor-file";
import { db } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";

/**
 * Up to where each chain was exported: the ends of its last runs, the newest last. More than one, so that after a restore
 * the one is found up to which the chain is still the same.
 */
export type Exported = Map<string, ChainEnd[]>;

/** Ends that are kept for each chain. */
const keptEnds = 5;

/** Entries read at once. */
const batchSize = 500;

/** New entries of one chain, as JSON lines. */
export type NewEntries = {
  chain: string;
  lines: string;
  entries: number;
  /** Where the chain is no longer what was exported: entries from this position on are exported again. */
  againFrom: number | null;
};

/**
 * The entries of all chains, or of those named, after those exported, oldest first in each chain; `exported` moves on with
 * them. The writers of a chain take turns, so an entry that is read is never followed by one with a smaller position.
 * Checks no access.
 */
export async function* newEntries(
  exported: Exported,
  chains: readonly string[] | null,
): AsyncGenerator<NewEntries> {
  const all = await heads(chains);
  for (const [chain] of exported)
    if ((chains === null || chains.includes(chain)) && !all.some((head) => head.chain === chain)) {
      exported.delete(chain);
      yield { chain, lines: "", entries: 0, againFrom: 1 };
    }
  for (const { chain, end } of all) {
    const known = exported.get(chain) ?? [];
    if (known.at(-1)?.seq === end.seq && known.at(-1)?.mac === end.mac) continue;
    const same = await newestIn(chain, known);
    let againFrom = same === known.at(-1) ? null : (same?.seq ?? 0) + 1;
    const kept = same ? known.slice(0, known.indexOf(same) + 1) : [];
    for (let last = same ?? (await before(chain)); ;) {
      const rows = await batchAfter(chain, last.seq);
      const newest = rows.at(-1);
      if (!newest) break;
      const lines = await asLines(chain, rows, last.mac);
      last = { seq: newest.seq, mac: newest.mac };
      exported.set(chain, [...kept, last].slice(-keptEnds));
      yield { chain, lines, entries: rows.length, againFrom };
      againFrom = null;
    }
  }
}

async function heads(chains: readonly string[] | null) {
  const rows = await db()
    .selectFrom("history_heads")
    .selectAll()
    .where("seq", ">", 0)
    .$if(chains !== null, (query) => query.where("partner_id", "in", chains ?? []))
    .orderBy("partner_id")
    .execute();
  return rows.map(({ partner_id, seq, mac }) => ({ chain: partner_id, end: { seq, mac } }));
}

/** The newest of these ends that the chain still has; one whose entry was removed counts, too. */
async function newestIn(chain: string, ends: readonly ChainEnd[]): Promise<ChainEnd | undefined> {
  if (ends.length === 0) return undefined;
  const start = await chainStart(db(), chain);
  const rows = await db()
    .selectFrom("history")
    .select(["seq", "mac"])
    .where("partner_id", "=", chain)
    .where(
      "seq",
      "in",
      ends.map(({ seq }) => seq),
    )
    .execute();
  const isThere = ({ seq, mac }: ChainEnd) =>
    seq < start.seq ||
    (seq === start.seq && mac === start.mac) ||
    rows.some((row) => row.seq === seq && row.mac === mac);
  return ends.findLast(isThere);
}

/** What its first entry follows. */
async function before(chain: string): Promise<ChainEnd> {
  const { seq, mac } = await chainStart(db(), chain);
  return { seq, mac };
}

function batchAfter(chain: string, seq: number): Promise<HistoryRow[]> {
  return db()
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", chain)
    .where("seq", ">", seq)
    .orderBy("seq")
    .limit(batchSize)
    .execute();
}

/** Each as `GET …/history?format=json` has it, with its chain, its seal and the seal of the entry before. */
async function asLines(chain: string, rows: readonly HistoryRow[], macBefore: string) {
  const items = await presentRows(chain, rows);
  return items
    .map((item, at) => {
      const seals = { before: rows[at - 1]?.mac ?? macBefore, seal: rows[at]?.mac };
      return `${JSON.stringify({ chain, ...item, ...seals })}\n`;
    })
    .join("");
}
