import { env, unknownVariables, type Env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import packageJson from "@/package.json";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { ended, programBeside, startChild } from "./child";
import { consoleToLog } from "./request-log";
import { requireDataFolder } from "./data-folder";
import { dashboardServers, listen, requireAddress } from "./dashboard-server";
import { runProgram } from "./failure";
import { flagsGiven } from "./flags";
import { serveMetrics } from "./metrics-server";
import { withInlineStyles } from "./inline-styles";
import { loadEnvFile, root } from "./root";
import { withStaticFiles } from "./static-files";
import { closeServers, onStop, stopGraceMs, stopServing } from "./stop";

const { version } = packageJson;

/** `npm start`, and with `--dev` `npm run dev`: the dashboard. */
await runProgram("Gancho cannot start", async () => {
  const dev = flagsGiven("--dev").has("--dev");
  loadEnvFile();
  // Before the framework is loaded: it and React choose their mode by it.
  const nodeEnv = dev ? "development" : "production";
  Object.assign(process.env, { NODE_ENV: nodeEnv, NEXT_TELEMETRY_DISABLED: "1" });
  const config = env();
  for (const variable of unknownVariables(process.env))
    if (variable.meant !== null) log.warn(variable, "a variable that does nothing is set");
  // The history's anchor is in it: without it nothing could be recorded.
  requireDataFolder(config.dataDir);

  const address = { ...config, requestsPerMinute: requestsPerMinute(config), development: dev };
  await requireAddress(address);
  await serveMetrics(config);
  await migrate();
  const print = dev ? console.log : consoleToLog();
  const { first, listen: serve } = dashboardServers(address);
  const dashboard = await render(config, first, dev);
  // Only now: a client that connects finds everything ready.
  const pages = dashboard.getRequestHandler();
  if (!dev) await warmUp(pages);
  const servers = await serve(
    dev
      ? pages
      : withStaticFiles(
          path.join(root, ".next", "static"),
          withInlineStyles(path.join(root, ".next"), pages),
        ),
  );

  onStop(({ atOnce }) => {
    log.info({ version }, "Gancho stops");
    void stopServing(servers, atOnce || config.mode !== "production" ? 0 : stopGraceMs)
      .then(() => dashboard.close())
      .finally(() => {
        log.info({ version }, "Gancho stopped");
        process.exit();
      });
  });
  announce(config, print);
});

/** A person at work makes a few; programs that act as people may make as many more as they may make changes. */
function requestsPerMinute({ changeLimit }: Env) {
  return { pages: 10 * changeLimit, data: 50 * changeLimit };
}

/** In a separate program: the dashboard would keep in memory for weeks what this needs for a second. */
async function migrate(): Promise<void> {
  const end = await ended(startChild({ args: programBeside("migrate") }));
  // It has printed why.
  if (end !== 0) process.exit(typeof end === "number" ? end : 1);
}

async function render({ port, url }: Env, httpServer: Server, dev: boolean) {
  if (!dev) process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = configOfBuild();
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

/**
 * Requests what is needed first: the framework loads a page or route on first use, and a probe that has to wait for
 * that would report the database as silent.
 */
async function warmUp(pages: RequestListener): Promise<void> {
  const server = await listen(createServer(pages), 0, "127.0.0.1");
  const { port } = server.address() as AddressInfo;
  for (const path of ["/sign-in", "/api/health/ready"])
    await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer();
  await closeServers([server], 0);
}

/**
 * The framework's configuration as the build wrote it, for the variable from which its standalone server reads it:
 * next.config.mjs and the packages it imports are for building, and a release has neither.
 */
function configOfBuild(): string {
  const file = path.join(root, ".next", "required-server-files.json");
  const { config } = JSON.parse(readFileSync(file, "utf8")) as { config: unknown };
  return JSON.stringify(config);
}

function announce({ url, mode }: Env, print: (line: string) => void): void {
  const words = `Gancho ready at ${url.origin}`;
  log.info({ version, node: process.version, mode }, words);
  // The program that started this one announces it.
  if (process.send) process.send("ready");
  // In plain words for a person, even where only warnings are logged.
  else if (process.stdout.isTTY || !log.isLevelEnabled("info")) print(words);
}
