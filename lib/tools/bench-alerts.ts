import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import { ended, startChild } from "@/lib/cli/child";
import { runProgram } from "@/lib/cli/failure";
import { programFile } from "@/lib/cli/programs.mjs";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { db } from "@/lib/platform/database/open";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { beginStopping } from "@/lib/platform/runtime/in-flight";
import { startMailServer, type MailServer } from "@/lib/platform/mail/testing/mail-server";
import { insertPartner } from "@/lib/partners/server/create-partner";
import type { ChildProcess } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";

/**
 * `npm run bench:alerts -- [number] [--engine sqlite|postgres] [--kill-every SECONDS]`: so many alerts (10,000 unless
 * told otherwise), written in transactions of which one in ten is rolled back, while two processes send them to a mail
 * server that refuses now and then and sometimes takes a mail without saying so, and one of them is killed (`kill -9`)
 * every few seconds. Counts what was lost, what arrived although it was rolled back, and what arrived more than once.
 * Ends with 1 where one of the first two is not zero.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: "string" }, "kill-every": { type: "string", default: "8" } },
});
const count = Number(positionals[0] ?? 10_000);
const killEveryMs = Number(values["kill-every"]) * 1_000;
const perTransaction = 20;
const senders = 2;

await runProgram("bench:alerts", async () => {
  // What this process commits, the others send.
  beginStopping();
  const mail = await startMailServer();
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-bench-"));
  const isPostgres = values.engine === "postgres";
  const server = isPostgres ? await startPostgres() : null;
  Object.assign(process.env, {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    GANCHO_DATA_DIR: folder,
    GANCHO_URL: "http://localhost:3000",
    DATABASE_URL: server?.url ?? `file:${folder}/gancho.db`,
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    SMTP_URL: mail.url,
    MAIL_FROM: "gancho@example.com",
  });
  try {
    await migrateToLatest(db());
    await measure(mail, isPostgres ? "PostgreSQL" : "SQLite");
  } finally {
    await db().destroy();
    await mail.close();
    await server?.stop();
    rmSync(folder, { recursive: true });
  }
});

async function measure(mail: MailServer, engine: string): Promise<void> {
  const started = performance.now();
  await insertPeople();
  const trouble = troubleOf(mail);
  const processes = await startSenders();
  const rolledBack = await enqueueAll();
  const committed = await idsInOutbox();
  console.log(`${engine}: ${committed.length} alerts committed, ${rolledBack} rolled back`);
  while ((await waiting()) > 0) await after(500);
  const seconds = Math.round((performance.now() - started) / 1_000);
  const kills = await processes.end();
  trouble.end();

  const arrivals = new Map<string, number>();
  for (const { source } of mail.mails) {
    const id = /^Message-ID: <(.+)@localhost>$/im.exec(source)?.[1] ?? "without an id";
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
  }
  const known = new Set(committed);
  const lost = committed.filter((id) => !arrivals.has(id)).length;
  const unknown = [...arrivals.keys()].filter((id) => !known.has(id)).length;
  const givenUp = await inState("given_up");
  console.log(
    [
      `arrived: ${arrivals.size} in ${seconds} s; lost: ${lost}; given up: ${givenUp}; of rolled back transactions: ${unknown}`,
      `arrived more than once, each under its own Message-ID: ${mail.mails.length - arrivals.size}`,
      `senders killed: ${kills}; times the server refused for a while: ${trouble.refusals()}; mails taken without saying so: ${trouble.held()}`,
    ].join("\n"),
  );
  if (lost + unknown + givenUp > 0) process.exitCode = 1;
}

async function insertPeople(): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      await insertPartner(trx, { id: "aurora", name: "Loja Aurora" });
      const person = { password_hash: null, staff_role: null, disabled_at: null, created_at: 0 };
      const ana = { ...person, id: "ana", email: "ana@aurora.example", name: "Ana" };
      await trx.insertInto("users").values(ana).execute();
      const membership = { partner_id: "aurora", user_id: "ana", role: "admin" as const };
      await trx
        .insertInto("memberships")
        .values({ ...membership, created_at: 0 })
        .execute();
    });
}

/** Gives how many were rolled back. */
async function enqueueAll(): Promise<number> {
  let rolledBack = 0;
  for (let left = count; left > 0; left -= perTransaction) {
    const size = Math.min(perTransaction, left);
    const isRolledBack = randomInt(10) === 0;
    if (isRolledBack) rolledBack += size;
    await db()
      .transaction()
      .execute(async (trx) => {
        for (let nth = 0; nth < size; nth += 1)
          await enqueueAlert(trx, {
            kind: "connection_recovered",
            partnerId: "aurora",
            environment: "production",
            since: Date.now(),
          });
        if (isRolledBack) throw new Error("rolled back");
      })
      .catch((error: unknown) => {
        if (!isRolledBack) throw error;
      });
  }
  return rolledBack;
}

/** A server that is well most of the time. */
function troubleOf(mail: MailServer) {
  const counted = { refuse: 0, hold: 0 };
  let over = false;
  const go = async () => {
    while (!over) {
      mail.manner = "take";
      await after(randomInt(500, 2_500));
      mail.manner = randomInt(3) === 0 ? "hold" : "refuse";
      counted[mail.manner] += 1;
      const before = mail.mails.length;
      await after(mail.manner === "hold" ? 20 : 150);
      if (mail.manner === "hold") counted.hold += mail.mails.length - before;
    }
  };
  void go();
  return { end: () => (over = true), refusals: () => counted.refuse, held: () => counted.hold };
}

async function startSenders() {
  const running: ChildProcess[] = [];
  let over = false;
  let kills = 0;
  const file = await programFile("sender");
  const start = () => running.push(startChild({ file }));
  for (let nth = 0; nth < senders; nth += 1) start();
  const kill = async () => {
    const child = running.shift();
    if (!child) return;
    child.kill("SIGKILL");
    await ended(child);
  };
  const go = async () => {
    for (;;) {
      await after(killEveryMs);
      if (over) return;
      await kill();
      kills += 1;
      start();
    }
  };
  const going = go();
  return {
    end: async () => {
      over = true;
      await going;
      while (running.length > 0) await kill();
      return kills;
    },
  };
}

async function idsInOutbox(): Promise<string[]> {
  const rows = await db().selectFrom("alert_deliveries").select("id").execute();
  return rows.map(({ id }) => id);
}

function waiting(): Promise<number> {
  return inState("waiting");
}

async function inState(state: "waiting" | "given_up"): Promise<number> {
  const { deliveries } = await db()
    .selectFrom("alert_deliveries")
    .select(({ fn }) => fn.countAll<number>().as("deliveries"))
    .where("state", "=", state)
    .executeTakeFirstOrThrow();
  return deliveries;
}
