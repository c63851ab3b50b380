/**
 * `npm run soak`: the promises about saves, against real processes and real faults, with figures. Needs a finished
 * build (`npm run build`). Bounded in time; ends with 1 when anything reported was false.
 */
import { parseArgs } from "node:util";
import { disk } from "./disk";
import { faults } from "./faults";
import { configureProcess, install, type Engine, type Installation } from "./installation";
import { kills } from "./kills";
import { judgeAgain, model } from "./model";
import { reportTo, type Printed, type Report } from "./report";
import { rounds } from "./rounds";

type Part = (
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
) => Promise<void>;

type Known = { run: Part; engines: Engine[]; waitsForDisk?: true };

const parts: Record<string, Known> = {
  model: { run: model, engines: ["sqlite", "postgres"] },
  faults: { run: faults, engines: ["sqlite"] },
  rounds: { run: rounds, engines: ["sqlite", "postgres"] },
  kills: { run: kills, engines: ["sqlite", "postgres"] },
  disk: { run: disk, engines: ["postgres"], waitsForDisk: true },
};

/** Sizes of a run. */
const defaults = {
  /** Runs against the model of the service, on each engine. */
  runs: 5_000,
  /** How many runs are concurrent, and the number of the first one: the same seed and number repeat a run. */
  concurrency: 80,
  first: 1,
  /** Minutes after which no new run begins, on each engine. */
  runMinutes: 60,
  rounds: 500,
  /** Interrupted saves on each engine. */
  kills: 200,
  /** The seed of the random draws. */
  seed: Date.now() % 1_000_000,
  /** Upstreams that are under fault at once. */
  lanes: 12,
};
export type Sizes = typeof defaults;

const named = Object.entries(defaults);
const usage = `npm run soak -- [${Object.keys(parts).join("|")} …] ${named
  .map(([name, value]) => `[--${name}=${value}]`)
  .join(" ")} [--engine=sqlite|postgres]
npm run soak -- judge FILE, what an earlier model recorded`;

async function main(): Promise<void> {
  if (process.argv.includes("--help")) return console.log(usage);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(
      [...named, ["engine"]].map(([name]) => [name, { type: "string" as const }]),
    ),
  });
  const printed: Printed = { violations: 0 };
  if (positionals[0] === "judge") {
    const files = positionals.slice(1);
    if (files.length === 0) throw new Error("judge: no recording is named");
    for (const file of files) judgeAgain(reportTo(printed), file);
    return conclude(printed);
  }
  const given = named.map(([name, value]) => [name, Number(values[name] ?? value)] as const);
  const [wrong] = [
    ...positionals.filter((name) => !parts[name]),
    ...given.flatMap(([name, size]) => (size > 0 ? [] : `--${name}`)),
    ...(["sqlite", "postgres", undefined].includes(values["engine"]) ? [] : ["--engine"]),
  ];
  if (wrong !== undefined) throw new Error(`${wrong}: no such part, number or engine`);
  const sizes = Object.fromEntries(given) as Sizes;
  configureProcess();
  for (const [name, { run, engines, waitsForDisk = false }] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const engine of engines.filter((each) => (values["engine"] ?? each) === each)) {
      console.log(`\n${name}, ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}`);
      const startedAt = performance.now();
      const report = reportTo(printed);
      const installation = await install(engine, sizes.lanes, { waitsForDisk });
      try {
        await run(installation, report, sizes, engine);
        const { files, findings } = await installation.searchFiles();
        report.figure("files searched for secrets", files);
        report.check(findings.length === 0, () => `secrets got out: ${JSON.stringify(findings)}`);
      } finally {
        await installation.close();
      }
      report.figure("took, s", Math.round((performance.now() - startedAt) / 1_000));
    }
  }
  conclude(printed);
}

function conclude({ violations }: Printed): void {
  console.log(`\n${violations === 0 ? "no violations" : `${violations} VIOLATIONS`}`);
  process.exitCode = violations === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.error(usage);
  process.exitCode = 1;
});
