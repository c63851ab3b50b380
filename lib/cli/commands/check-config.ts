import {
  checkDatabase,
  isWritable,
  finding,
  type Finding,
  checkPaymentService,
  checkReached,
} from "@/lib/cli/check-config/checks";
import { requireAddress } from "@/lib/cli/dashboard-server";
import { linesOf } from "@/lib/cli/failure";
import { serveMetrics } from "@/lib/cli/metrics-server";
import { env, EnvironmentError, type Env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import type { Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- check-config

Checks the configuration before the first start and after each change: the variables, the folder and
the port, the database, its clock and its tables, and whether the encryption keys open it. It requests
a list from the payment service of each environment without credentials, which the service must
refuse. It connects to the provider of single sign-on, the mail server, the receiver of alerts and the
proxy of endpoint checks, and sends them nothing. It changes nothing, and prints no secret.

Each line begins with "ok", with "note" for something worth knowing, or with "FAIL" and what to do.

Exit code 0: everything works. 1: Gancho would not start. 3: Gancho would start, and something that
it calls would fail.`,
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

async function checkConfiguration(): Promise<Finding[]> {
  let config: Env;
  try {
    config = env();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return [
      ...error.problems.map((problem) => finding("stops", "variables", problem)),
      finding("note", "the rest", "is tried once the variables can be read"),
    ];
  }
  // All at once: each may wait for a timeout.
  const found = await Promise.all([
    checkFolder(config),
    checkAddress(config),
    checkDatabase(config),
    checkPaymentService(config),
    checkReached(config),
  ]);
  return [finding("ok", "variables", "can all be read"), ...found.flat()];
}

async function checkFolder({ dataDir }: Env): Promise<Finding[]> {
  return [
    isWritable(dataDir)
      ? finding("ok", "data folder", `${dataDir} can be written`)
      : finding(
          "stops",
          "data folder",
          `nothing can be kept in ${dataDir}: set GANCHO_DATA_DIR to a folder that can be written`,
        ),
  ];
}

/** A taken port is no fault while Gancho itself serves there. */
async function checkAddress(config: Env): Promise<Finding[]> {
  const about = "address";
  try {
    await requireAddress({ ...config, development: false });
    (await serveMetrics(config))?.close();
    return [finding("ok", about, `${config.host ?? "every address"}, port ${config.port} is free`)];
  } catch (error) {
    const [line = ""] = linesOf(error);
    const isTaken = /^port \d+ is taken/.test(line);
    return [
      finding(isTaken ? "note" : "stops", about, isTaken ? `${line}, unless it is Gancho` : line),
    ];
  }
}

const shown = { ok: "ok  ", note: "note", fails: "FAIL", stops: "FAIL" };

function describe(found: readonly Finding[]): string[] {
  const width = Math.max(...found.map(({ about }) => about.length));
  const count = (standing: Finding["standing"]) =>
    found.filter((one) => one.standing === standing).length;
  const problems = count("stops") + count("fails");
  return [
    ...found.map(
      ({ standing, about, says }) => `${shown[standing]}  ${about.padEnd(width)}  ${says}`,
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

function exitCodeOf(found: readonly Finding[]): number {
  if (found.some(({ standing }) => standing === "stops")) return 1;
  return found.some(({ standing }) => standing === "fails") ? 3 : 0;
}
