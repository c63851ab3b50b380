import { freePort } from "@/e2e/installation/free-port";
import { startProgram } from "@/e2e/installation/program";
import { configureProcess, install, type Installation } from "@/e2e/soak/installation";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureBrowser, printSlowService } from "./browser";
import { measureDistance } from "./distance";
import { measureGrowth } from "./growth";
import { measureLoad } from "./load";
import { measureServer } from "./server";
import { measureWatch } from "./watch";
import { printFigures } from "./figures";

/** The two that are compared, by their addresses. */
export type Bench = {
  installation: Installation;
  floor: string;
  gancho: string;
  pids: { floor: number; gancho: number };
  rounds: number;
};

const usage = `npm run bench -- [PART] [--NAME=VALUE …]: figures, each beside what it is to be compared with.
All but distance and statements need a finished build (npm run build).

  server, browser [--rounds=5]    what the dashboard costs above an empty application of the same framework (floor/), in front
                                  of the same service, in turn; without a part, both
  distance [--trip=30] [--rounds=21]
                                  the round trips of a reading and of a save, with the payment service so many milliseconds away
  load [--rate=100] [--seconds=120] [--engine=sqlite|postgres]
                                  80 % lists, 10 % saves and 10 % pages, so many a second, to one instance on SQLite and to
                                  two on PostgreSQL
  growth [--partners=1,1000,100000] [--engine=sqlite|postgres]
                                  what a request costs with each number of partners, side by side
  watch [--partners=10000] [--minutes=15] [--engine=sqlite|postgres]
                                  reading so many connections in the background, each once in so many minutes; takes twice as long
  statements                      what a page, a list, a history, a save and a probe send to PostgreSQL, as its test counts them`;

const { values, positionals } = readArguments();
const { engine } = values;
if (engine !== "sqlite" && engine !== "postgres") refuse(`${engine} is no engine`);
const rounds = Number(values.rounds);

const parts: Record<string, () => Promise<void> | void> = {
  server: () => besideFloor(async (bench) => printFigures(await measureServer(bench))),
  browser: () => besideFloor(measurePages),
  distance: () => measureDistance({ tripMs: Number(values.trip), rounds }),
  load: () =>
    measureLoad({
      engine,
      instances: engine === "postgres" ? 2 : 1,
      perSecond: Number(values.rate),
      seconds: Number(values.seconds),
    }),
  growth: () => {
    const partners = (values.partners ?? "1,1000,100000").split(",").map(Number);
    return measureGrowth({ partners, engine });
  },
  watch: () =>
    measureWatch({
      partners: Number(values.partners ?? 10_000),
      everyMinutes: Number(values.minutes),
      engine,
    }),
  statements: printStatements,
};

async function main(): Promise<void> {
  configureProcess();
  const [part = "both"] = positionals;
  const both = () =>
    besideFloor(async (bench) => {
      printFigures(await measureServer(bench));
      await measurePages(bench);
    });
  const run = part === "both" ? both : Object.hasOwn(parts, part) && parts[part];
  if (!run) refuse(`there is no ${part}`);
  await run();
}

function readArguments() {
  if (process.argv.includes("--help")) {
    console.log(usage);
    process.exit();
  }
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: "string", default: "5" },
        trip: { type: "string", default: "30" },
        partners: { type: "string" },
        minutes: { type: "string", default: "15" },
        rate: { type: "string", default: "100" },
        seconds: { type: "string", default: "120" },
        engine: { type: "string", default: "sqlite" },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}

async function measurePages(bench: Bench): Promise<void> {
  printFigures(await measureBrowser(bench));
  await printSlowService(bench);
}

async function besideFloor(measure: (bench: Bench) => Promise<void>): Promise<void> {
  const installation = await install("sqlite", 1, { asInProduction: true });
  const floor = await startFloor(installation);
  const { url: gancho, pid } = await installation.start();
  const bench: Bench = {
    installation,
    floor: floor.url,
    gancho,
    rounds,
    pids: { floor: floor.pid, gancho: pid },
  };
  console.log(`${rounds} rounds; ratios are medians, with the least and the greatest round\n`);
  try {
    await measure(bench);
  } finally {
    await floor.stop();
    await installation.close();
  }
}

/** Without the statements themselves, which the test prints below each count. */
function printStatements(): void {
  const counting = spawnSync(
    "npx",
    ["vitest", "run", "--project", "postgres", "app/statements.test.ts"],
    { env: { ...process.env, STATEMENTS: "1" }, encoding: "utf8" },
  );
  const counts = [...counting.stdout.matchAll(/^[a-z ]+: \d+$/gm)].map(([line]) => line);
  if (counting.status !== 0 || counts.length === 0)
    throw new Error(`the statements were not counted: ${counting.stdout}${counting.stderr}`);
  console.log(counts.join("\n"));
}

/** What the build looks for only in the application's own folder. */
const packages = ["next", "react", "react-dom", "scheduler", "@swc/helpers"];

async function startFloor({ sandboxUrl }: Installation) {
  const folder = fileURLToPath(new URL("./floor", import.meta.url));
  for (const name of packages)
    cpSync(path.join("node_modules", name), path.join(folder, "node_modules", name), {
      recursive: true,
    });
  const next = path.join(folder, "node_modules/next/dist/bin/next");
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  execFileSync(process.execPath, [next, "build"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const port = String(await freePort());
  const program = await startProgram({
    command: [process.execPath, next, "start", "--port", port, "--hostname", "localhost"],
    folder,
    env: { ...env, UPSTREAM: sandboxUrl },
    ready: /Ready in/,
    logFile: "/dev/null",
  });
  return { url: `http://localhost:${port}`, pid: program.pid, stop: program.stop };
}

await main();
process.exit();
