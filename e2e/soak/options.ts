import { parseArgs } from "node:util";
import type { Engine } from "./installation";

const partNames = ["model", "faults", "rounds", "kills"] as const;
const engines: Engine[] = ["sqlite", "postgres"];
export type PartName = (typeof partNames)[number];

/** Sizes of a run. The defaults are those that the figures in docs/decisions are about. */
const defaults = {
  /** Runs against the model of the service, on each engine. */
  runs: 5_000,
  /** In how many of them at once somebody saves, and the number of the first: with the same seed it draws the same. */
  concurrency: 80,
  first: 1,
  /** Minutes after which no new run begins, on each engine. */
  runMinutes: 60,
  rounds: 500,
  /** Interrupted saves on each engine. */
  kills: 200,
  /** What is drawn. */
  seed: Date.now() % 1_000_000,
  /** Upstreams that are under fault at once. */
  lanes: 12,
};
export type Sizes = typeof defaults;

export const usage = `npm run soak -- [${partNames.join("|")} …] ${Object.entries(defaults)
  .map(([name, value]) => `[--${name}=${value}]`)
  .join(" ")} [--engine=sqlite|postgres]`;

/** Throws an error that explains what is wrong with the arguments. */
export function readOptions(args: readonly string[]): {
  parts: PartName[];
  sizes: Sizes;
  engines: Engine[];
} {
  const names = Object.keys(defaults) as (keyof Sizes)[];
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: Object.fromEntries(
      [...names, "engine"].map((name) => [name, { type: "string" as const }]),
    ),
  });
  const sizes = { ...defaults };
  for (const name of names) {
    const given = values[name];
    if (given === undefined) continue;
    sizes[name] = Number(given);
    if (!(sizes[name] > 0)) throw new Error(`--${name} is not a number above 0`);
  }
  const parts = positionals.map((name) => {
    const part = partNames.find((known) => known === name);
    if (!part) throw new Error(`${name} is not a part`);
    return part;
  });
  const chosen = engines.filter((engine) => (values["engine"] ?? engine) === engine);
  if (chosen.length === 0) throw new Error(`--engine is not one of ${engines.join(", ")}`);
  return { engines: chosen, parts: parts.length > 0 ? parts : [...partNames], sizes };
}
