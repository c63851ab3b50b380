import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { readPage } from "@/lib/partners/server/list/list";
import { partnerQuerySchema } from "@/lib/partners/model/page";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runProgram } from "@/lib/cli/failure";
import { madeUpPartner } from "@/lib/cli/seed/made-up-partner";
import { seedPartners } from "@/lib/cli/seed/seed-partners";

/**
 * `npm run bench:partners -- [number]`: how long a page of the Partners table takes on either database, with as many
 * made-up partners (100,000 unless told otherwise). It prints figures and judges nothing.
 */
const count = Number(process.argv[2] ?? 100_000);
const environment = "production";
const rounds = 40;

const cases: Record<string, Record<string, string>> = {
  "first page": {},
  "page behind half of all": { cursor: "loja-zz" },
  "last page": { cursor: "viacao-vitoria-99" },
  "a word of one in twenty": { search: "loja" },
  "the same, behind half": { search: "loja", cursor: "loja-iguacu" },
  "one letter": { search: "l" },
  "a word of nearly all": { search: "com" },
  "a whole name": { search: "Farmácia Aurora" },
  "a host": { search: "https://hooks.lojaaurora" },
  "one partner": { search: madeUpPartner(Math.ceil(count * 0.8)).name },
  nobody: { search: "nobody-is-called-this" },
  "two frequent words that never meet": { search: "loja mercado" },
  "a type missing": { status: "type_missing" },
  "no Authorization": { status: "no_authorization" },
  "connection failing": { status: "failing" },
  "connection failing, a frequent word": { status: "failing", search: "com" },
  "suspended, one in twenty": { status: "suspended", search: "loja" },
};

await runProgram("bench:partners", async () => {
  Object.assign(process.env, {
    NODE_ENV: "test",
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
  });
  const server = await startPostgres();
  await measure("PostgreSQL", server.url);
  await server.stop();
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-bench-"));
  await measure("SQLite", `file:${folder}/gancho.db`);
  rmSync(folder, { recursive: true });
});

async function measure(engine: string, url: string): Promise<void> {
  const db = openDatabase(url);
  await migrateToLatest(db);
  const started = performance.now();
  await seedPartners(db, count, [environment], () => undefined);
  await sql`analyze`.execute(db);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `\n${engine}: ${count.toLocaleString("en")} partners, added in ${seconds.toFixed(0)} s`,
  );
  console.log(
    `${"".padEnd(38)}${"lines".padStart(6)}${"median ms".padStart(11)}${"slowest ms".padStart(12)}`,
  );
  for (const [name, query] of Object.entries(cases)) await measureCase(db, name, query);
  await db.destroy();
}

async function measureCase(db: Db, name: string, given: Record<string, string>): Promise<void> {
  const service = { environment, baseUrl: "https://service.example" };
  const query = { ...partnerQuerySchema.parse(given), ...service };
  const times: number[] = [];
  let lines = 0;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const { partners } = await readPage(db, query, null);
    times.push(performance.now() - started);
    lines = partners.length;
  }
  times.sort((a, b) => a - b);
  const figure = (value = 0) => value.toFixed(1);
  console.log(
    name.padEnd(38) +
      String(lines).padStart(6) +
      figure(times[rounds / 2]).padStart(11) +
      figure(times.at(-1)).padStart(12),
  );
}
