import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { followMs } from "@/e2e/soak/installation";
import { behaviours } from "./behaviours";
import type { Unrest } from "./judge";
import type { Evidence } from "./run";

/**
 * What the judge is given, in a file: runs take hours, and whoever changes the judge has it judge them again. Each entry
 * is preceded by its length, four bytes.
 */

type Run = Omit<Evidence, "service"> & { behaviour: string };
type Entry = { seed: number } | { run: Run } | { unrests: readonly Unrest[] };

export function recordingTo(file: string, seed: number) {
  const to = openSync(file, "w");
  const put = (entry: Entry) => {
    const data = serialize(entry);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    writeSync(to, Buffer.concat([length, data]));
  };
  put({ seed });
  return {
    run: ({ service, client, ...rest }: Evidence) => {
      const { events, dirty, writes, lists, turns } = client;
      const { name } = service.behaviour;
      put({ run: { ...rest, behaviour: name, client: { events, dirty, writes, lists, turns } } });
    },
    end: (unrests: readonly Unrest[]) => {
      put({ unrests });
      closeSync(to);
    },
  };
}

/** Its runs, and what happened to the dashboards meanwhile. Throws where it was not ended. */
export function recordingFrom(file: string): { runs: Evidence[]; unrests: readonly Unrest[] } {
  const data = readFileSync(file);
  const entries: Entry[] = [];
  for (let at = 0; at < data.length;) {
    const start = at + 4;
    at = start + data.readUInt32LE(at);
    entries.push(deserialize(data.subarray(start, at)) as Entry);
  }
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !("seed" in first) || !last || !("unrests" in last))
    throw new Error(`${file}: not a whole recording`);
  const known = new Map(behaviours(followMs, first.seed).map((one) => [one.name, one]));
  const runs = entries.flatMap((entry) => {
    if (!("run" in entry)) return [];
    const { behaviour: name, ...run } = entry.run;
    const behaviour = known.get(name);
    if (!behaviour) throw new Error(`${file}: no service behaves as "${name}"`);
    return [{ ...run, service: { behaviour } }];
  });
  return { runs, unrests: last.unrests };
}
