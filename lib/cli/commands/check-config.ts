import {
  isWritable,
  check,
  checkNames,
  type Check,
  checkPaymentService,
  checkReached,
} from "@/lib/cli/check-config/checks";
import { checkDatabase } from "@/lib/cli/check-config/database";
import { requireAddress } from "@/lib/cli/dashboard-server";
import { linesOf } from "@/lib/cli/failure";
import { serveMetrics } from "@/lib/cli/metrics-server";
import { env, EnvironmentError, type Env } from "@/lib/platform/env/env";
import { isLoopback } from "@/lib/platform/env/is-loopback";
import { log } from "@/lib/platform/log/log";
import { isIP } from "node:net";
import type { Command } from "./command";

export const command: Command = {
  help: `Usage: gancho check-config

Checks the configuration before the first start and after each change: the variables, the folder and
the ports, the database, its clock, its tables, the rights of its user, and whether the encryption
keys open it and the last start on it had the same settings. It requests a token from the payment
service of each environment without credentials, which the service must refuse. It reads the metadata
of the provider of single sign-on, connects to the mail server, the receiver of alerts and the proxy
of endpoint checks, and sends them nothing. It changes nothing, and prints no secret.

Each line begins with "ok", with "note" for something worth knowing, or with "FAIL" and what to do.

Exit code 0: everything works. 1: Gancho would not start. 3: Gancho would start, and not all of it
would work.`,
  options: {},
  positionals: 0,
  run: async () => {
    // Failures are reported here, in words.
    log.level = "silent";
    const found = await checkConfiguration();
    for (const line of describe(found)) console.log(line);
    process.exitCode = exitCodeOf(found);
  },
};

async function checkConfiguration(): Promise<Check[]> {
  let config: Env;
  try {
    config = env();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return [
      ...error.problems.map((problem) => check("stops", "variables", problem)),
      ...checkNames(process.env),
      check("note", "the rest", "is tried once the variables can be read"),
    ];
  }
  // All at once: each may wait for a timeout.
  const found = await Promise.all([
    checkFolder(config),
    checkAddress(config),
    checkProxy(config),
    checkMetrics(config),
    checkDatabase(config),
    checkPaymentService(config),
    checkReached(config),
  ]);
  return [check("ok", "variables", "can all be read"), ...checkNames(process.env), ...found.flat()];
}

async function checkFolder({ dataDir }: Env): Promise<Check[]> {
  return [
    isWritable(dataDir)
      ? check("ok", "data folder", `${dataDir} can be written`)
      : check(
          "stops",
          "data folder",
          `nothing can be kept in ${dataDir}: set GANCHO_DATA_DIR to a folder that can be written`,
        ),
  ];
}

/** A taken port is no fault while Gancho itself serves there. */
async function checkAddress(config: Env): Promise<Check[]> {
  const about = "address";
  try {
    await requireAddress({ ...config, development: false });
    (await serveMetrics(config))?.close();
    return [check("ok", about, `${config.host ?? "every address"}, port ${config.port} is free`)];
  } catch (error) {
    const [line = ""] = linesOf(error);
    const isTaken = /^port \d+ is taken/.test(line);
    return [
      check(isTaken ? "note" : "stops", about, isTaken ? `${line}, unless it is Gancho` : line),
    ];
  }
}

/** Gancho speaks plain HTTP, so something in front of it serves https. */
function checkProxy({ url, trustedProxyHops }: Env): Check[] {
  if (url.protocol !== "https:" || trustedProxyHops > 0) return [];
  const message =
    "its address counts as everybody's, so that a stranger's wrong passwords keep all from signing in: set GANCHO_TRUSTED_PROXY to how many proxies append to X-Forwarded-For";
  return [check("note", "proxy", message)];
}

/** They name no partner, and tell how much an installation does. */
function checkMetrics({ metrics }: Env): Check[] {
  if (!metrics || isLoopback(new URL(`http://${asHost(metrics.host)}`))) return [];
  const message = `${metrics.host}, port ${metrics.port} asks for no password: let nobody but your Prometheus reach it`;
  return [check("note", "metrics", message)];
}

const asHost = (address: string) => (isIP(address) === 6 ? `[${address}]` : address);

const labels = { ok: "ok  ", note: "note", fails: "FAIL", stops: "FAIL" };

function describe(found: readonly Check[]): string[] {
  const width = Math.max(...found.map(({ subject }) => subject.length));
  const count = (status: Check["status"]) => found.filter((one) => one.status === status).length;
  const problems = count("stops") + count("fails");
  return [
    ...found.map(
      ({ status, subject, message }) => `${labels[status]}  ${subject.padEnd(width)}  ${message}`,
    ),
    "",
    problems === 0
      ? "Nothing was found that would keep Gancho from working."
      : `${problems === 1 ? "1 problem" : `${problems} problems`}: ` +
        (count("stops") > 0
          ? "Gancho would not start."
          : "Gancho would start, and not all of it would work."),
  ];
}

function exitCodeOf(found: readonly Check[]): number {
  if (found.some(({ status }) => status === "stops")) return 1;
  return found.some(({ status }) => status === "fails") ? 3 : 0;
}
