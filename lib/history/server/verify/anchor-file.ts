import "server-only";
import { env } from "@/lib/platform/env/env";
import { countAnchor } from "@/lib/platform/metrics/metrics";
import { ensurePrivateDir, syncFolder } from "@/lib/platform/runtime/folders";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";

/** The end of one partner's chain at some time. */
export type ChainEnd = { seq: number; mac: string };

const anchorSchema = z.object({
  partner: z.string(),
  seq: z.number().int().positive(),
  mac: z.string(),
  /** The `mac` of the entry before, which this one's seal covers; empty for the first. */
  before: z.string(),
});
type Anchor = z.infer<typeof anchorSchema>;

export const anchorFileName = "history-anchor.jsonl";

/**
 * Where each host notes the ends of the chains, outside the database: somebody who can rewrite the database, but not
 * this file, cannot remove a partner's newest entries without a trace. Append-only, one JSON line for each entry.
 */
export function anchorFile(): string {
  return path.join(env().dataDir, anchorFileName);
}

type Batch = { lines: string[]; written: Promise<void> };
const writer = () =>
  processWide("history-anchor", () => ({ next: null as Batch | null, last: Promise.resolve() }));

/**
 * Appends one line; resolves when it is on the disk. Lines that arrive during a write share the next one. Rejects with
 * the file system's error.
 */
export function appendAnchor(anchor: Anchor): Promise<void> {
  const state = writer();
  const line = JSON.stringify({ ...anchor, at: new Date().toISOString() });
  if (state.next) {
    state.next.lines.push(line);
    return state.next.written;
  }
  const batch: Batch = { lines: [line], written: Promise.resolve() };
  batch.written = state.last.then(() => {
    state.next = null;
    return append(batch.lines);
  });
  state.next = batch;
  state.last = batch.written.then(
    () => countAnchor("ok"),
    () => countAnchor("failed"),
  );
  return batch.written;
}

/** Opens the file for each batch, so that a new one begins when it was moved away. */
async function append(lines: readonly string[]): Promise<void> {
  const file = anchorFile();
  const folder = path.dirname(file);
  ensurePrivateDir(folder);
  const isNew = !existsSync(file);
  const handle = await open(file, "a", 0o600);
  try {
    await handle.chmod(0o600);
    // The line break comes first: a line that a crash cut short stays on its own.
    await handle.appendFile(lines.map((line) => `\n${line}`).join(""));
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (isNew) await syncFolder(folder);
}

/**
 * For each chain every end in the file, oldest first, except those that a later one proves: an entry that is in its
 * place proves the one that it follows. More than one is there where another host wrote entries in between, and after a
 * cut: growing past it hides no end.
 */
type Anchors = ReadonlyMap<string, readonly ChainEnd[]>;

/**
 * Memory grows with the number of chains, and of lines that do not follow their chain's line before. With two hosts
 * that take turns at each entry this is every line: 130 MB for a million, and 210 MB more while a chain that has them
 * all is verified. Rejects with the file system's error.
 */
export async function readAnchors(file: string): Promise<{ anchors: Anchors; damaged: number }> {
  const anchors = new Map<string, ChainEnd[]>();
  let damaged = 0;
  for await (const anchor of anchorsIn(file)) {
    if (!anchor) {
      damaged += 1;
      continue;
    }
    const { partner, seq, mac, before } = anchor;
    const ends = anchors.get(partner) ?? [];
    if (ends.at(-1)?.mac === before) ends.pop();
    ends.push({ seq, mac });
    anchors.set(partner, ends);
  }
  return { anchors, damaged };
}

/** For each chain the furthest end in the file. Rejects with the file system's error. */
export async function readFurthest(file: string): Promise<Map<string, ChainEnd>> {
  const furthest = new Map<string, ChainEnd>();
  for await (const anchor of anchorsIn(file))
    if (anchor && anchor.seq > (furthest.get(anchor.partner)?.seq ?? 0))
      furthest.set(anchor.partner, { seq: anchor.seq, mac: anchor.mac });
  return furthest;
}

/** Line by line; null for one that is damaged. */
async function* anchorsIn(file: string): AsyncGenerator<Anchor | null> {
  const handle = await open(file);
  for await (const line of handle.readLines()) if (line !== "") yield parseLine(line);
}

function parseLine(line: string): Anchor | null {
  try {
    return anchorSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
