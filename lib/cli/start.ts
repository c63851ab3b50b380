import { env, type Env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import packageJson from "@/package.json";
import type { Server } from "node:http";
import { buildState } from "./build-stamp";
import { ended, startChild } from "./child";
import { consoleToLog } from "./console-to-log";
import { requireDataFolder } from "./data-folder";
import { dashboardServers, requireAddress } from "./dashboard-server";
import { Failure, runProgram } from "./failure";
import { serveMetrics } from "./metrics-server";
import { loadEnvFile, root } from "./root";
import { onStop, stopServing } from "./stop";

/** `npm start`, and with `--dev` `npm run dev`: the dashboard. */
const dev = process.argv.includes("--dev");
const { version } = packageJson;

await runProgram("Gancho cannot start", async () => {
  loadEnvFile();
  // Before the framework is loaded: it and React choose by it what they are.
  const nodeEnv = dev ? "development" : "production";
  Object.assign(process.env, { NODE_ENV: nodeEnv, NEXT_TELEMETRY_DISABLED: "1" });
  const config = env();
  if (!dev && buildState() === "none")
    throw new Failure("there is no finished build: run npm run build first");
  // The history's anchor is kept there: without it nothing could be recorded.
  requireDataFolder(config.dataDir);

  const address = { ...config, development: dev };
  await requireAddress(address);
  await serveMetrics(config);
  await migrate();
  const print = dev ? console.log : consoleToLog();
  const { first, listen } = dashboardServers(address);
  const dashboard = await render(config, first);
  // Only now: whoever gets through finds everything there.
  const servers = await listen(dashboard.getRequestHandler());

  onStop(() => {
    log.info({ version }, "Gancho stops");
    void stopServing(servers, config.stopGraceMs)
      .then(() => dashboard.close())
      .finally(() => {
        log.info({ version }, "Gancho stopped");
        process.exit();
      });
  });
  announce(config, print);
});

/** In a program of its own: this one renders pages, for which React must be loaded in its other form. */
async function migrate(): Promise<void> {
  const end = await ended(startChild({ file: "lib/cli/migrate.ts", reactServer: true }));
  // It has said why.
  if (end !== 0) process.exit(1);
}

async function render({ port, url }: Env, httpServer: Server) {
  const { default: next } = await import("next");
  const app = next({
    dev,
    dir: root,
    port,
    hostname: url.hostname,
    httpServer,
  });
  await app.prepare();
  return app;
}

function announce({ url, mode }: Env, print: (line: string) => void): void {
  const words = `Gancho ready at ${url.origin}`;
  log.info({ version, node: process.version, mode }, words);
  // Started by another program: that one speaks.
  if (process.send) process.send("ready");
  // In plain words for a person, and where nothing but warnings is logged.
  else if (process.stdout.isTTY || !log.isLevelEnabled("info")) print(words);
}
