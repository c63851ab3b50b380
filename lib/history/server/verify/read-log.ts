import "server-only";
import { open } from "node:fs/promises";
import * as z from "zod/mini";
import type { ChainEnd } from "./anchor-file";

/** A line of `export-history`, or the `audit` of a line `recorded` in the log. */
const lineSchema = z.object({
  chain: z.string(),
  seq: z.number(),
  kind: z.string(),
  seal: z.string(),
  before: z.optional(z.string()),
});

/** A restore that a history itself states, and how many of its entries the log has that the restore took away. */
export type Restore = { chain: string; seq: number; lost: number };

type Log = {
  /** For each chain the ends in the log, as `readAnchors` gives those of an anchor file. */
  ends: Map<string, ChainEnd[]>;
  restores: Restore[];
  /**
   * Chains of which the log has nothing since the last restore, with the furthest position before it: one that was in the
   * backup got an entry then, so where the database has none of it either, it began after the backup and is gone whole.
   */
  notSinceRestore: Map<string, number>;
  /** Lines that name an entry. */
  entries: number;
};

const restored: ReadonlySet<string> = new Set(["history_restored", "installation_restored"]);

/**
 * Reads what a collector kept, the oldest file first. Other lines, such as those of requests, are passed over. Rejects
 * with the file system's error.
 */
export async function readLog(files: readonly string[]): Promise<Log> {
  const log: Log = { ends: new Map(), restores: [], notSinceRestore: new Map(), entries: 0 };
  /** Chains whose newest line is that of a restore. */
  const inBackup = new Set<string>();
  for await (const entry of entriesIn(files)) {
    const { chain, seq, kind, seal, before } = entry;
    log.entries += 1;
    let ends = log.ends.get(chain) ?? [];
    // The same entry again, as from a run that was killed.
    if (ends.some((end) => end.seq === seq && end.mac === seal)) continue;
    const furthest = furthestOf(ends);
    const beginsAnew = seq === 1 && log.notSinceRestore.has(chain);
    if (restored.has(kind) || beginsAnew) {
      if (furthest >= seq) log.restores.push({ chain, seq, lost: furthest - seq + 1 });
      ends = ends.filter((end) => end.seq < seq);
    }
    if (kind === "installation_restored")
      for (const [other, known] of log.ends)
        // In the log of the instances, those that the backup has come before this line.
        if (!inBackup.has(other)) log.notSinceRestore.set(other, furthestOf(known));
    log.notSinceRestore.delete(chain);
    if (kind === "history_restored") inBackup.add(chain);
    else inBackup.delete(chain);
    const last = ends.at(-1);
    const follows = before === undefined ? last?.seq === seq - 1 : last?.mac === before;
    // A seal covers the one before: the end that it follows is proven by it.
    if (follows) ends.pop();
    ends.push({ seq, mac: seal });
    log.ends.set(chain, ends);
  }
  return log;
}

function furthestOf(ends: readonly ChainEnd[]): number {
  return Math.max(0, ...ends.map(({ seq }) => seq));
}

type Entry = z.infer<typeof lineSchema>;

async function* entriesIn(files: readonly string[]): AsyncGenerator<Entry> {
  for (const file of files) {
    const handle = await open(file);
    for await (const line of handle.readLines()) {
      const entry = entryIn(line);
      if (entry) yield entry;
    }
  }
}

function entryIn(line: string): Entry | null {
  if (!line.includes('"seal"')) return null;
  try {
    const parsed = JSON.parse(line) as { audit?: unknown } | null;
    return z.safeParse(lineSchema, parsed?.audit ?? parsed).data ?? null;
  } catch {
    return null;
  }
}
