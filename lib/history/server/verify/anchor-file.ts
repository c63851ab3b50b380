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
});
type Anchor = z.infer<typeof anchorSchema>;

/**
 * Where each host notes the ends of the chains, outside the database: somebody who can rewrite the database, but not
 * this file, cannot remove a partner's newest entries without a trace. Append-only, one JSON line for each entry.
 */
export function anchorFile(): string {
  return path.join(env().dataDir, "history-anchor.jsonl");
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
 * For each chain its furthest end in the file. Where the chain went back, as after a cut, also each end that was the
 * furthest until then, oldest first: growing past a cut hides no end.
 */
type Anchors = ReadonlyMap<string, readonly ChainEnd[]>;

/**
 * Reads line by line; memory grows with the number of partners, and of times that a chain went back. Rejects with the
 * file system's error.
 */
export async function readAnchors(file: string): Promise<{ anchors: Anchors; damaged: number }> {
  const anchors = new Map<string, Ends>();
  let damaged = 0;
  const handle = await open(file);
  for await (const line of handle.readLines()) {
    if (line === "") continue;
    const anchor = parseLine(line);
    if (anchor) anchors.set(anchor.partner, follow(anchors.get(anchor.partner), anchor));
    else damaged += 1;
  }
  return { damaged, anchors: new Map([...anchors].map(([partner, { ends }]) => [partner, ends])) };
}

type Ends = {
  ends: ChainEnd[];
  /** A later line named an earlier position, or another entry in the same one. */
  wentBack: boolean;
};

function follow(known: Ends | undefined, { seq, mac }: Anchor): Ends {
  const { ends, wentBack } = known ?? { ends: [], wentBack: true };
  const last = ends.at(-1);
  if (last && seq <= last.seq)
    return { ends, wentBack: wentBack || seq < last.seq || mac !== last.mac };
  return { ends: [...(wentBack ? ends : ends.slice(0, -1)), { seq, mac }], wentBack: false };
}

function parseLine(line: string): Anchor | null {
  try {
    return anchorSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
