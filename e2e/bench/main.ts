/**
 * `npm run bench -- [server|browser] [--rounds=5]`: what the dashboard costs above the framework it stands on. An empty
 * application of the same framework (`floor/`) runs beside Gancho, in front of the same service, and each figure is taken
 * of one and the other in turn, so that a busy machine is busy for both. Needs a finished build.
 *
 * `npm run bench -- growth [--partners=1,1000,100000] [--engine=sqlite|postgres]`: what a request costs with each number
 * of partners, side by side.
 */
import { freePort } from "@/e2e/installation/free-port";
import { startProgram } from "@/e2e/installation/program";
import { configureProcess, install, type Installation } from "@/e2e/soak/installation";
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureBrowser } from "./browser";
import { measureGrowth } from "./growth";
import { measureServer } from "./server";
import { printFigures } from "./figures";

/** The two that are compared, by their addresses. */
export type Bench = {
  installation: Installation;
  floor: string;
  gancho: string;
  pids: { floor: number; gancho: number };
  rounds: number;
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    partners: { type: "string", default: "1,1000,100000" },
    engine: { type: "string", default: "sqlite" },
  },
});

async function main(): Promise<void> {
  configureProcess();
  if (positionals[0] === "growth")
    return measureGrowth({
      partners: values.partners.split(",").map(Number),
      engine: values.engine === "postgres" ? "postgres" : "sqlite",
    });
  const installation = await install("sqlite", 1);
  const floor = await startFloor(installation);
  const { url: gancho, pid } = await installation.start();
  const rounds = Number(values.rounds);
  const bench: Bench = {
    installation,
    floor: floor.url,
    gancho,
    rounds,
    pids: { floor: floor.pid, gancho: pid },
  };
  console.log(`${rounds} rounds; ratios are medians, with the least and the greatest round\n`);
  try {
    if (positionals[0] !== "browser") printFigures(await measureServer(bench));
    if (positionals[0] !== "server") printFigures(await measureBrowser(bench));
  } finally {
    await floor.stop();
    await installation.close();
  }
}

/** What the build looks for only in the application's own folder. */
const packages = ["next", "react", "react-dom", "scheduler", "@swc/helpers"];

async function startFloor({ lanes: [lane] }: Installation) {
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
    env: { ...env, UPSTREAM: lane?.upstream.url ?? "" },
    ready: /Ready in/,
    logFile: "/dev/null",
  });
  return { url: `http://localhost:${port}`, pid: program.pid, stop: program.stop };
}

await main();
process.exit();
