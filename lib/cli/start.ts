import { env, type Env } from "@/lib/env";
import { beginStopping, untilDone } from "@/lib/under-way";
import type { RequestListener, Server } from "node:http";
import { buildState } from "./build-stamp";
import { ended, startChild } from "./child";
import { requireDataFolder } from "./data-folder";
import { listenForBrowsers } from "./dashboard-server";
import { Failure, runProgram } from "./failure";
import { loadEnvFile, root } from "./root";
import { closeServers, onStop, patience } from "./stop";

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

  let open: (handler: RequestListener) => void = () => undefined;
  const handler = new Promise<RequestListener>((resolve) => (open = resolve));
  const servers = await listenForBrowsers({ ...config, development: dev, handler });
  await migrate();
  const dashboard = await render(config, servers);
  open(dashboard.getRequestHandler());

  onStop(
    () =>
      void stop(servers)
        .then(() => dashboard.close())
        .finally(() => process.exit()),
  );
  announce(config);
});

/** What was asked before is answered while the port still says "not ready"; then nothing new is taken, and the rest ends. */
async function stop(servers: readonly Server[]): Promise<void> {
  const deadline = performance.now() + patience;
  const left = () => deadline - performance.now();
  beginStopping();
  await untilDone(left());
  await closeServers(servers, left());
  await untilDone(left());
}

/** In a program of its own: this one renders pages, for which React must be loaded in its other form. */
async function migrate(): Promise<void> {
  const end = await ended(startChild({ file: "lib/cli/migrate.ts", reactServer: true }));
  // It has said why.
  if (end !== 0) process.exit(1);
}

async function render({ port, url }: Env, [httpServer]: readonly Server[]) {
  const { default: next } = await import("next");
  const app = next({
    dev,
    dir: root,
    port,
    hostname: url.hostname,
    ...(httpServer && { httpServer }),
  });
  await app.prepare();
  return app;
}

function announce({ url }: Env): void {
  // Started by another program: that one speaks.
  if (process.send) process.send("ready");
  else console.log(`Gancho ready at ${url.origin}`);
}
