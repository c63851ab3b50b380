import { env, type Env } from "@/lib/platform/env/env";
import type { Server } from "node:http";
import { buildState } from "./build-stamp";
import { ended, startChild } from "./child";
import { requireDataFolder } from "./data-folder";
import { dashboardServers, requireAddress } from "./dashboard-server";
import { Failure, runProgram } from "./failure";
import { loadEnvFile, root } from "./root";
import { onStop, stopServing } from "./stop";

/** `npm start`, and with `--dev` `npm run dev`: the dashboard. */
const dev = process.argv.includes("--dev");

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
  await migrate();
  const { first, listen } = dashboardServers(address);
  const dashboard = await render(config, first);
  // Only now: whoever gets through finds everything there.
  const servers = await listen(dashboard.getRequestHandler());

  onStop(
    () =>
      void stopServing(servers, config.stopGraceMs)
        .then(() => dashboard.close())
        .finally(() => process.exit()),
  );
  announce(config);
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

function announce({ url }: Env): void {
  // Started by another program: that one speaks.
  if (process.send) process.send("ready");
  else console.log(`Gancho ready at ${url.origin}`);
}
