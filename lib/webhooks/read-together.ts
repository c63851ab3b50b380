import "server-only";
import { processWide } from "@/lib/process-wide";
import type { Configuration } from "./configuration";
import type { Confirmed } from "./confirmed";
import type { Place } from "./look";

/** Reads under way; each leaves when it ends, so there are never more than connections being read now. */
const underWay = () => processWide("reads", () => new Map<string, Promise<Configuration>>());

/**
 * One read for all who want the same connection at the same time, so that a hundred readers of a slow service are one
 * call to it. `confirmed` is what was confirmed when the reader came: whoever comes after a save has ended, in whichever
 * process, came to another state than the reads that began before it, and does not join them.
 */
export function readTogether(
  { connection }: Place,
  confirmed: Confirmed | null,
  timeoutMs: number | undefined,
  read: () => Promise<Configuration>,
): Promise<Configuration> {
  const { id, version } = connection;
  const name = JSON.stringify([id, version, confirmed?.epoch ?? 0, timeoutMs]);
  const joined = underWay().get(name);
  if (joined) return joined;
  const begun = read().finally(() => underWay().delete(name));
  underWay().set(name, begun);
  return begun;
}
