import { runProgram } from "@/lib/cli/failure";
import { programFile } from "@/lib/cli/programs.mjs";
import { root } from "@/lib/cli/root";
import { insertPartners } from "@/lib/cli/seed/seed-partners";
import { madeUpPartner } from "@/lib/cli/seed/made-up-partner";
import { db } from "@/lib/platform/database/open";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { log } from "@/lib/platform/log/log";
import { connectionRefOnTrust, readAt } from "@/lib/webhooks/server/read/read";
import { leaseMs, watchedEnvironment } from "@/lib/watch/server/turns";
import { Watcher } from "@/lib/watch/server/watcher";
import { sql } from "kysely";
import { fork, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

/**
 * `npm run bench:watch -- [--connections 100000] [--minutes 15] [--changes 10000] [--delay 20] [--at-once 64]
 * [--person] [--sqlite]`: what the background readings cost and keep, with real workers (`npm run gancho -- watch`)
 * against a simulated service over a socket. It prints figures and judges nothing. It waits for whole periods: with the
 * default sizes, it takes about an hour. With `--person` it measures only a person's list call, beside first readings.
 */
const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "100000" },
    minutes: { type: "string", default: "15" },
    changes: { type: "string", default: "10000" },
    delay: { type: "string", default: "20" },
    "at-once": { type: "string", default: "64" },
    rate: { type: "string", default: "400" },
    person: { type: "boolean", default: false },
    sqlite: { type: "boolean", default: false },
  },
});
const connections = Number(values.connections);
const periodMs = Number(values.minutes) * 60_000;
const changes = Math.min(Number(values.changes), connections);
const environment = "production";
/** A little more than a period: the time that a reading takes, and that a turn may be drawn later. */
const wholePeriodMs = 1.04 * periodMs + 5_000;

const blockMs = 5_000;

const say = (what: string, figure: string) =>
  console.log(`  ${what.padEnd(58)}${figure.padStart(16)}`);
const number = (value: number) => value.toLocaleString("en");
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

await runProgram("bench:watch", async () => {
  log.level = "error";
  const service = fork(path.join(root, "lib/tools/bench-watch/service.ts"), [values.delay], {
    execArgv: ["--import", "tsx"],
  });
  const [port] = (await once(service, "message")) as [number];
  const serviceUrl = `http://127.0.0.1:${port}`;
  const postgres = values.sqlite ? null : await startPostgres();
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-bench-"));
  Object.assign(process.env, {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    GANCHO_DATA_DIR: folder,
    DATABASE_URL: postgres?.url ?? `file:${folder}/gancho.db`,
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    PARTNER_API_ENVIRONMENTS: `${environment}=${serviceUrl}`,
    WATCH_EVERY: values.minutes,
    WATCH_RATE: values.rate,
    WATCH_AT_ONCE: values["at-once"],
  });
  console.log(
    `${number(connections)} connections, once in ${values.minutes} min, ${values.sqlite ? "SQLite" : "PostgreSQL (fsync off)"}, a service that answers after ${values.delay} ms`,
  );
  const workers: Worker[] = [];
  try {
    await seed();
    await measure(serviceUrl, workers);
  } finally {
    for (const worker of workers) worker.child.kill("SIGKILL");
    service.kill();
    await db().destroy();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
process.exit(0);

async function measure(serviceUrl: string, workers: Worker[]): Promise<void> {
  if (values.person) return person(serviceUrl);
  console.log("\nOne worker, from the first reading on");
  const one = await startWorker();
  workers.push(one);
  const before = { cpu: one.cpuMs(), at: performance.now() };
  const peak = { mb: 0 };
  const first = await firstReadings(
    serviceUrl,
    () => (peak.mb = Math.max(peak.mb, one.memoryMb())),
  );
  const elapsed = performance.now() - before.at;
  sayTwice(first);
  say("  lists asked for, a second", (first.calls / (elapsed / 1_000)).toFixed(1));
  say("  tokens asked for", number(first.tokens));
  say("share of a core", `${((100 * (one.cpuMs() - before.cpu)) / elapsed).toFixed(1)} %`);
  say("memory, at the most", `${peak.mb.toFixed(0)} MB`);

  console.log("\nTwo workers, and changes made outside");
  const two = await startWorker();
  workers.push(two);
  await pause(10_000);
  const changedAt = await change(serviceUrl, changes);
  const from = Date.now();
  await pause(wholePeriodMs);
  const both = await report(serviceUrl, from);
  say("connections read within one period", `${number(both.clients)} of ${number(connections)}`);
  sayTwice(both);
  await printAge("oldest confirmation");
  await printChanges(changedAt, "after one period");
  await pause(wholePeriodMs / 2);
  await printChanges(changedAt, "half a period later");

  console.log("\nOne of the two is killed (kill -9)");
  await killAndFollow(one, serviceUrl);

  two.child.kill("SIGTERM");
  const stopping = performance.now();
  await once(two.child, "exit");
  say("the other one, asked to end, ends within", seconds(performance.now() - stopping));
  await person(serviceUrl);
}

async function seed(): Promise<void> {
  await migrateToLatest(db());
  const started = performance.now();
  for (let done = 0; done < connections; done += 250) {
    const some = Array.from({ length: Math.min(250, connections - done) }, (_, i) => ({
      ...madeUpPartner(done + i + 1),
      asked: false,
      fault: null,
      suspended: false,
    }));
    await insertPartners(db(), some, [environment]);
  }
  // One by one: all of them together take longer than a statement may. Not those that are empty and will grow: the
  // server's autovacuum, which is off here, would have counted them again by then.
  for (const { name } of await db().introspection.getTables()) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db());
    if (rows.length > 0) await sql`analyze ${sql.table(name)}`.execute(db());
  }
  console.log(`added in ${seconds(performance.now() - started)}`);
}

/** Until every connection was read once: their turns are drawn anywhere within the first period. */
async function firstReadings(serviceUrl: string, look: () => void) {
  const started = performance.now();
  const from = Date.now();
  for (;;) {
    await pause(periodMs / 60);
    look();
    const soFar = await report(serviceUrl, from);
    const elapsed = performance.now() - started;
    if (soFar.clients >= connections) {
      const last = [...soFar.first.values()].reduce((latest, at) => Math.max(latest, at), 0);
      say("all connections read for the first time within", seconds(last - from));
      return soFar;
    }
    if (elapsed > 4 * periodMs) {
      say("not all were read within four periods", `${number(soFar.clients)} were`);
      return soFar;
    }
  }
}

type Asked = { asked: { client: string; at: number }[]; tokens: number };

async function report(serviceUrl: string, from: number) {
  const response = await fetch(`${serviceUrl}/bench/report?from=${from}`);
  const { asked, tokens } = (await response.json()) as Asked;
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  let twice = 0;
  let minGapMs = Infinity;
  for (const { client, at } of asked) {
    const gapMs = at - (last.get(client) ?? -Infinity);
    minGapMs = Math.min(minGapMs, gapMs);
    // One that comes late is followed by one that is on time: sooner than a period, and no second reading of it.
    if (gapMs < periodMs / 2) twice += 1;
    first.set(client, first.get(client) ?? at);
    last.set(client, at);
  }
  return { clients: last.size, twice, minGapMs, calls: asked.length, tokens, first };
}

function sayTwice({ twice, minGapMs }: Awaited<ReturnType<typeof report>>): void {
  say("  read twice in it: again within half a period", number(twice));
  say(
    "  least time between two readings of one",
    Number.isFinite(minGapMs) ? seconds(minGapMs) : "none twice",
  );
}

async function change(serviceUrl: string, count: number): Promise<number> {
  const clients = Array.from({ length: count }, (_, i) => madeUpPartner(i + 1).id);
  const answer = await fetch(`${serviceUrl}/bench/change`, {
    method: "POST",
    body: JSON.stringify({ clients }),
  });
  return ((await answer.json()) as { at: number }).at;
}

async function printChanges(changedAt: number, when: string): Promise<void> {
  const rows = await db()
    .selectFrom("history")
    .select(["partner_id", ({ fn }) => fn.countAll<number>().as("entries")])
    .select(({ fn }) => fn.max("at").as("last"))
    .where("kind", "=", "changed_outside")
    .groupBy("partner_id")
    .execute();
  const latest = Math.max(0, ...rows.map(({ last }) => Number(last) - changedAt));
  say(`changes found ${when}`, `${number(rows.length)} of ${number(changes)}`);
  say("  recorded twice", number(rows.filter(({ entries }) => entries > 1).length));
  say("  the last of them found after", seconds(latest));
}

async function printAge(what: string): Promise<void> {
  const { oldest } = await db()
    .selectFrom("watch_turns")
    .select(({ fn }) => fn.min("confirmed_at").as("oldest"))
    .executeTakeFirstOrThrow();
  say(what, oldest === null ? "never" : seconds(Date.now() - Number(oldest)));
}

/** Ends a worker as a crash would, and follows what it had taken until somebody else has read it. */
async function killAndFollow(worker: Worker, serviceUrl: string): Promise<void> {
  // So slow for a moment that there is much under way.
  await fetch(`${serviceUrl}/bench/delay?ms=4000`);
  await pause(3_000);
  worker.child.kill("SIGKILL");
  const killedAt = Date.now();
  await fetch(`${serviceUrl}/bench/delay?ms=${values.delay}`);
  await once(worker.child, "exit");
  // What the other one held at that moment it has released by now, and has said that it is there.
  await pause(8_000);
  const held = await db()
    .selectFrom("watch_turns")
    .innerJoin("connections", "connections.id", "watch_turns.connection_id")
    .innerJoin("watch_workers", "watch_workers.id", "watch_turns.holder")
    .select("connections.client_id as client")
    .where("watch_workers.seen_at", "<", await aliveSince(killedAt))
    .execute();
  await pause(2 * leaseMs);
  const after = await report(serviceUrl, killedAt);
  const takenOver = held.map(({ client }) => (after.first.get(client) ?? Infinity) - killedAt);
  const latest = Math.max(0, ...takenOver);
  say("turns that it held", number(held.length));
  say("  all of them read again within", Number.isFinite(latest) ? seconds(latest) : "not all");
  say("  a lease is", seconds(leaseMs));
  sayTwice(after);
}

/** On the steady clock: the moment after which a worker must have said that it is there, if it was not killed. */
async function aliveSince(killedAt: number): Promise<number> {
  return (await readSteadyClock()) - (Date.now() - killedAt);
}

/**
 * A person's list call while connections are read as fast as they ever are, and while none is, by turns: first beside a
 * worker that is a process of its own, then in the process that reads. Small sizes are not read as fast as large ones:
 * the speed is printed.
 */
async function person(serviceUrl: string): Promise<void> {
  const worker = await startWorker();
  // All connections have a turn by then.
  await pause(8_000 + connections / 2);
  await interleave(
    "A person's list call, beside a worker",
    serviceUrl,
    () => () => Promise.resolve(),
  );
  worker.child.kill("SIGKILL");

  const watched = watchedEnvironment(environment);
  if (!watched) throw new Error("nothing is watched");
  const watcher = new Watcher(watched);
  await interleave("A person's list call, in the same process", serviceUrl, (isOn) => {
    let goesOn = isOn;
    const background = (async () => {
      while (goesOn) {
        const waitMs = await watcher.step();
        await Promise.race([watcher.awake(), pause(waitMs)]);
      }
    })();
    return async () => {
      goesOn = false;
      await background;
    };
  });
  await watcher.end();
}

/** `turn` begins or stops the reading, and gives what ends it. */
async function interleave(
  title: string,
  serviceUrl: string,
  turn: (isOn: boolean) => () => Promise<void>,
): Promise<void> {
  console.log(`\n${title}, by turns`);
  const times: Record<"with" | "without", number[]> = { with: [], without: [] };
  let read = 0;
  for (let block = 0; block < 12; block += 1) {
    const isOn = block % 2 === 1;
    // All are due, as after an outage; or the service has asked to be left alone.
    const pausedUntil = isOn ? 0 : (await readSteadyClock()) + 10 * 60_000;
    await db().updateTable("watch_services").set({ paused_until: pausedUntil }).execute();
    await pause(2_000);
    // As many as can be read within two blocks: changing all of 100,000 takes longer than a statement may.
    const turns = db().selectFrom("watch_turns").where("holder", "is", null).orderBy("due_at");
    const soon = turns.select("connection_id").limit((2 * blockMs * Number(values.rate)) / 1_000);
    await db()
      .updateTable("watch_turns")
      .set({ due_at: 0 })
      .where("connection_id", "in", soon)
      .execute();
    const end = turn(isOn);
    const from = Date.now();
    const until = performance.now() + blockMs;
    const own = times[isOn ? "with" : "without"];
    let calls = 0;
    for (; performance.now() < until; calls += 1) {
      const { id } = madeUpPartner(1 + ((calls * 37 + block) % connections));
      const started = performance.now();
      await readAt(await connectionRefOnTrust(id, environment), { requestId: "bench" });
      own.push(performance.now() - started);
      await pause(20);
    }
    await end();
    if (isOn) read += (await report(serviceUrl, from)).calls - calls;
  }
  say("read in the background, a second", (read / ((6 * blockMs) / 1_000)).toFixed(1));
  const at = (list: number[], share: number) =>
    [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? 0;
  for (const share of [0.5, 0.95]) {
    const [on, off] = [at(times.with, share), at(times.without, share)];
    say(
      `${share === 0.5 ? "median" : "95th percentile"} with it, without it`,
      `${on.toFixed(1)}, ${off.toFixed(1)} ms`,
    );
    say("  as slow as without", `${(on / off).toFixed(2)} times`);
  }
  say("calls measured, with and without", `${times.with.length}, ${times.without.length}`);
}

type Worker = { child: ChildProcess; cpuMs: () => number; memoryMb: () => number };

async function startWorker(): Promise<Worker> {
  const child = spawn(process.execPath, [await programFile("gancho"), "watch"], {
    cwd: root,
    env: process.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const of = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    child,
    // After the command's name, which stands in brackets: the 12th and 13th fields, in hundredths of a second.
    cpuMs: () => {
      const fields = of("stat").split(") ")[1]?.split(" ") ?? [];
      return 10 * (Number(fields[11]) + Number(fields[12]));
    },
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(of("status"))?.[1] ?? 0) / 1_024,
  };
}
