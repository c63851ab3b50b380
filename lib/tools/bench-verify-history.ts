import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { anchorFile, readAnchors } from "@/lib/history/server/verify/anchor-file";
import { lockHeads, recordInEach, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { furtherChecks } from "@/lib/history/server/verify/further-checks";
import { verifyEveryChain } from "@/lib/history/server/verify/verify";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runProgram } from "@/lib/cli/failure";
import { madeUpPartner } from "@/lib/cli/seed/made-up-partner";
import { seedPartners } from "@/lib/cli/seed/seed-partners";

/**
 * `npm run bench:verify-history -- [number] [postgres|sqlite]`: how long verifying takes on either database, or on both,
 * with as many chains (100,000 unless told otherwise) of three entries each, and a partner and a connection to compare
 * with. It prints figures and judges nothing but that all is right.
 */
const count = Number(process.argv[2] ?? 100_000);
const only = process.argv[3] ?? null;
const furtherEntries = 2;
const chainsPerBatch = 250;

await runProgram("bench:verify-history", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-bench-"));
  Object.assign(process.env, {
    NODE_ENV: "test",
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    GANCHO_DATA_DIR: folder,
  });
  if (only !== "sqlite") {
    const server = await startPostgres();
    await measure("PostgreSQL", server.url);
    await server.stop();
    rmSync(anchorFile());
  }
  if (only !== "postgres") await measure("SQLite", `file:${folder}/gancho.db`);
  rmSync(folder, { recursive: true });
});

async function measure(engine: string, url: string): Promise<void> {
  const db = openDatabase(url);
  await migrateToLatest(db);
  const filled = performance.now();
  await seedPartners(db, count, ["production"], () => undefined);
  for (let round = 0; round < furtherEntries; round += 1)
    for (let from = 1; from <= count; from += chainsPerBatch) await addEntries(db, from);
  await sql`analyze`.execute(db);
  const begun = performance.now();
  const { anchors } = await readAnchors(anchorFile());
  const sum = { chains: 0, entries: 0, bad: 0 };
  for await (const { entries, fault, differences } of verifyEveryChain(db, anchors)) {
    sum.chains += 1;
    sum.entries += entries;
    if (fault || differences.length > 0) sum.bad += 1;
  }
  for (const check of furtherChecks)
    for await (const finding of check(db, null)) {
      sum.bad += 1;
      console.log(finding);
    }
  const ended = performance.now();
  const number = (value: number) => value.toLocaleString("en");
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  console.log(
    `${engine}: ${number(sum.chains)} chains, ${number(sum.entries)} entries, ${number(sum.bad)} wrong; ` +
      `verified in ${seconds(begun, ended)} (filled in ${seconds(filled, begun)}), ` +
      `${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB`,
  );
  await db.destroy();
}

async function addEntries(db: Db, from: number): Promise<void> {
  const partners = Array.from(
    { length: Math.min(chainsPerBatch, count - from + 1) },
    (_, i) => madeUpPartner(from + i).id,
  );
  await db.transaction().execute(async (trx) => {
    await lockHeads(trx, partners);
    await recordInEach(
      trx,
      partners.map((partnerId) => ({ entry: checkOf(partnerId), notes: [] })),
    );
  });
}

function checkOf(partnerId: string): NewHistoryEntry {
  return {
    partnerId,
    environment: "production",
    kind: "connection_checked",
    types: [],
    actor: null,
    requestId: "bench",
    outcome: "ok",
    detail: { clientId: partnerId, candidate: false, problem: null },
  };
}
