import "server-only";
import { db, type Executor } from "@/lib/platform/database/open";
import { log } from "@/lib/platform/log/log";
import { figuresFrom } from "@/lib/platform/metrics/metrics";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { existsSync } from "node:fs";
import { anchorFile, readFurthest } from "./anchor-file";

/** A history of which the anchor file names an entry that the database does not have, at position `seq`. */
type Behind = { chain: string; seq: number };

const chainsPerQuery = 200;

/**
 * The histories whose furthest entry in this host's anchor file is not in the database: an entry is noted after its
 * commit, so the database has gone back in time. Verifies no seal, and says nothing of entries before the furthest.
 */
export async function behindAnchor(executor: Executor, file: string): Promise<Behind[]> {
  if (!existsSync(file)) return [];
  const ends = [...(await readFurthest(file))].map(([chain, end]) => ({ chain, ...end }));
  const behind: Behind[] = [];
  for (let at = 0; at < ends.length; at += chainsPerQuery) {
    const some = ends.slice(at, at + chainsPerQuery);
    const isThere = await entriesAt(executor, some);
    behind.push(...some.filter((end) => !isThere(end)).map(({ chain, seq }) => ({ chain, seq })));
  }
  return behind;
}

type End = { chain: string; seq: number; mac: string };

/** Whether the database has these entries. Those that prune-history removed count as there. */
async function entriesAt(executor: Executor, ends: readonly End[]): Promise<(end: End) => boolean> {
  const entries = await executor
    .selectFrom("history")
    .select(["partner_id", "seq", "mac"])
    .where(({ or, and, eb }) =>
      or(ends.map(({ chain, seq }) => and([eb("partner_id", "=", chain), eb("seq", "=", seq)]))),
    )
    .execute();
  const macs = new Map(entries.map(({ partner_id, mac }) => [partner_id, mac]));
  const starts = await executor
    .selectFrom("history_checkpoints")
    .select(["partner_id", "seq"])
    .where(
      "partner_id",
      "in",
      ends.map(({ chain }) => chain),
    )
    .execute();
  const removed = new Map(starts.map(({ partner_id, seq }) => [partner_id, Number(seq)]));
  return ({ chain, seq, mac }) => macs.get(chain) === mac || seq <= (removed.get(chain) ?? 0);
}

/** For the operator, of at least one. */
export function behindInWords(behind: readonly Behind[], file: string): string {
  const [first] = behind;
  const counted = behind.length === 1 ? "1 history" : `${behind.length} histories`;
  return `lacks entries of ${counted} that ${file} names, such as entry ${first?.seq} of ${first?.chain}: if a backup was restored, stop Gancho, put the anchor file of that backup in place of this one, and run gancho after-restore --yes (docs/operate.md, "After an older backup was restored")`;
}

const found = () => processWide("behind-anchor", () => ({ histories: 0 }));

/** How many histories were behind this host's anchor file when this process started. */
export function historiesBehindAnchor(): number {
  return found().histories;
}

/** Compares the database with this host's anchor file, once: while Gancho serves, it only adds to both. */
export async function compareWithAnchor(): Promise<void> {
  figuresFrom("anchor", () => [{ name: "behindAnchor", value: historiesBehindAnchor() }]);
  const file = anchorFile();
  try {
    const behind = await behindAnchor(db(), file);
    found().histories = behind.length;
    if (behind.length > 0)
      log.error({ histories: behind.length }, `the database ${behindInWords(behind, file)}`);
  } catch (err) {
    log.error({ err }, "whether the database is older than its anchor file could not be seen");
  }
}
