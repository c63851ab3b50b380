import { problemCatalogue } from "@/lib/platform/http/model/problem";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram } from "@/e2e/installation/program";
import { markNeedles } from "@/e2e/canaries/canary";
import { searcherFor } from "@/e2e/canaries/search";
import { broken } from "@/e2e/soak/fuzz/broken";
import { diceFor, type Dice } from "@/e2e/soak/fuzz/dice";
import { sandboxRequest } from "@/e2e/soak/fuzz/sandbox-requests";
import { bytesOf, exchange, type Exchanged } from "@/e2e/soak/fuzz/wire";
import { dashboardRequest, findTargets, makeWorld, type World } from "@/e2e/soak/fuzz/world";
import type { Installation } from "./installation";
import { keptMb, reportsKeptMemory } from "./kept-memory";
import type { Sizes } from "./options";
import { processFigures, slope } from "./process-figures";
import { tally, type Report } from "./report";

/** The number of requests in flight. */
const lanes = 12;
/** After so many, what was sent has signed out, removed or renamed too many. */
const worldLasts = 500;
/** MB that the process may keep for each 10,000 requests, over the second half of a run of at least so many. */
const greatestSlope = 1;
const enoughForSlope = 20_000;
/** How many requests pass between two measurements of kept memory, during which the program stands still. */
const measuredEvery = 1_000;

/** What a program may answer to such requests, and its output, which must show no internal fault. */
type Side = {
  name: string;
  url: URL;
  pid: number;
  log: () => string;
  /** The file in which it reports the memory that it keeps. */
  memory: string;
  bytes: (dice: Dice, number: number) => Promise<Buffer>;
  mayFail: (exchanged: Exchanged) => boolean;
};

/**
 * Requests that no browser would send, half of them to the dashboard and half to the sandbox: bodies of the right shape
 * with wrong values, anything else, and requests cut off. `--seed` repeats them.
 */
export async function fuzz(
  installation: Installation,
  report: Report,
  { requests, seed }: Sizes,
): Promise<void> {
  const half = Math.ceil(requests / 2);
  report.figure("seed", seed);
  const dashboard = await dashboardSide(installation);
  await send(dashboard, half, seed, report);
  const { side: sandbox, stop } = await sandboxSide(installation);
  await send(sandbox, half, seed, report);
  await stop();
}

async function send(side: Side, requests: number, seed: number, report: Report): Promise<void> {
  const secretsIn = searcherFor(markNeedles);
  const statuses: string[] = [];
  const kept: { x: number; y: number }[] = [];
  const before = processFigures(side.pid).residentMb;
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let number = next++; number < requests; number = next++) {
        const dice = diceFor(seed, number);
        const whole = await side.bytes(dice, number);
        const isWhole = !dice.oneIn(4);
        const exchanged = await exchange(side.url, isWhole ? whole : broken(dice, whole), isWhole);
        const what = `${side.name}, request ${number} of seed ${seed}`;
        for (const status of exchanged.statuses) {
          statuses.push(String(status));
          report.check(status < 500 || side.mayFail(exchanged), () => `${what}: ${exchanged.text}`);
        }
        if (exchanged.statuses.length === 0) statuses.push("closed");
        report.check(
          !exchanged.text.endsWith(" timed out"),
          () => `${what}: stays open: ${exchanged.text}`,
        );
        report.check(
          secretsIn(Buffer.from(exchanged.text)).length === 0,
          () => `${what}: tells a secret`,
        );
        if (number % measuredEvery === 0)
          kept.push({ x: number / 10_000, y: await keptMb(side.pid, side.memory) });
      }
    }),
  );
  const grows = slope(kept.slice(Math.floor(kept.length / 2)));
  report.figure(`${side.name}: requests`, requests);
  report.figure(`${side.name}: answers`, tally(statuses));
  report.figure(
    `${side.name}: resident memory before and after, MB`,
    [before, processFigures(side.pid).residentMb].map(Math.round).join(", "),
  );
  report.figure(
    `${side.name}: kept at the beginning, half way and at the end, MB`,
    [kept.at(0), kept.at(kept.length / 2), kept.at(-1)]
      .map((point) => point?.y.toFixed(1))
      .join(", "),
  );
  report.figure(`${side.name}: its slope, MB for each 10,000 requests`, grows.toFixed(2));
  report.check(
    requests < enoughForSlope || grows <= greatestSlope,
    () => `${side.name}: memory grows by ${grows.toFixed(2)} MB for each 10,000 requests`,
  );
  const faults = side
    .log()
    .split("\n")
    .filter((line) => line !== "" && !isExpected(line));
  report.figure(`${side.name}: faults in its log`, faults.length);
  for (const line of new Set(faults.map(withoutRequest)))
    report.violation(`${side.name} printed: ${line}`);
  const alive = await exchange(side.url, bytesOf(hello(side.url)));
  report.check(alive.statuses.length === 1, () => `${side.name} does not answer any more`);
}

/** Lines about the start, and lines of the log without a fault; the framework printed all others by itself. */
function isExpected(line: string): boolean {
  return line.startsWith("{")
    ? !/unhandled|uncaught|unexpected failure|"level":"(error|fatal)"/i.test(line)
    : /^✓ |ready/.test(line);
}

/** Reports the same fault once, whichever request caused it. */
function withoutRequest(line: string): string {
  return line.replace(/"(time|requestId)":"[^"]*",?/g, "").slice(0, 1_500);
}

function hello({ host }: URL) {
  return { method: "GET", path: "/", headers: { host }, body: null };
}

async function dashboardSide(installation: Installation): Promise<Side> {
  const folder = installation.config["GANCHO_DATA_DIR"] ?? "";
  const memory = path.join(folder, "dashboard-memory.txt");
  const gancho = await installation.start(reportsKeptMemory(memory));
  const worlds: Promise<World>[] = [];
  const worldOf = (number: number) => {
    const index = Math.floor(number / worldLasts);
    return (worlds[index] ??= makeWorld(installation, index));
  };
  // Probing the fields already changes some of it.
  const targets = await findTargets(gancho, await makeWorld(installation, 0));
  return {
    name: "dashboard",
    url: new URL(gancho.url),
    pid: gancho.pid,
    log: () => readFileSync(path.join(folder, "dashboard.log"), "utf8"),
    memory,
    bytes: async (dice, number) =>
      bytesOf(dashboardRequest(dice, gancho, await worldOf(number), targets)),
    mayFail: ({ text }) => isUpstreamFault(text),
  };
}

/** A problem whose code describes what the payment service did, not Gancho. */
function isUpstreamFault(text: string): boolean {
  const code = /"code":"([a-z_]+)"/.exec(text)?.[1];
  return (
    text.includes("application/problem+json") &&
    isProblemCode(code) &&
    code !== "internal_error" &&
    problemCatalogue[code].status >= 502
  );
}

async function sandboxSide(installation: Installation) {
  const folder = installation.config["GANCHO_DATA_DIR"] ?? "";
  const [id, secret] = ["fuzz", "fuzz-only-secret"];
  const clients = path.join(folder, "fuzz-clients.json");
  writeFileSync(clients, JSON.stringify([{ client_id: id, client_secret: secret }]));
  const port = String(await freePort());
  const logFile = path.join(folder, "sandbox.log");
  const memory = path.join(folder, "sandbox-memory.txt");
  const program = await startProgram({
    command: [process.execPath, "dist/sandbox.mjs"],
    env: {
      ...reportsKeptMemory(memory),
      SANDBOX_PORT: port,
      SANDBOX_CLIENTS: clients,
      SANDBOX_DATABASE_URL: `file:${folder}/fuzz-sandbox.db`,
      LOG_LEVEL: "warn",
    },
    ready: /ready/i,
    logFile,
  });
  const url = new URL(`http://127.0.0.1:${port}`);
  const basic = Buffer.from(`${id}:${secret}`).toString("base64");
  const answer = await fetch(new URL("/api/oauth/token", url), {
    method: "POST",
    headers: { authorization: `Basic ${basic}`, "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials" }),
  });
  const token = /"access_token":"([^"]+)"/.exec(await answer.text())?.[1] ?? "";
  const side: Side = {
    name: "sandbox",
    url,
    pid: program.pid,
    log: () => readFileSync(logFile, "utf8"),
    memory,
    bytes: async (dice) => bytesOf(sandboxRequest(dice, url.host, token, basic)),
    mayFail: () => false,
  };
  return { side, stop: program.stop };
}
