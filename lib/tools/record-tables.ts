import { runProgram } from "@/lib/cli/failure";
import { forPrograms } from "@/lib/platform/database/deadline";
import { migrateToLatest, thisRelease } from "@/lib/platform/database/migrate";
import { openDatabase } from "@/lib/platform/database/open";
import { describeTables, recordOf } from "@/lib/platform/database/testing/describe-tables";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** `npm run record-tables`: what this release relies on in the tables, for tests that later migrations leave it so. */
await runProgram("The tables cannot be recorded", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-tables-"));
  const server = await startPostgres();
  for (const url of [`file:${folder}/gancho.db`, server.url]) {
    const db = openDatabase(url, { limits: forPrograms });
    await migrateToLatest(db);
    const file = recordOf(thisRelease.version, url);
    writeFileSync(file, `${(await describeTables(db, url)).join("\n")}\n`);
    console.log(`recorded ${path.relative(process.cwd(), file)}`);
    await db.destroy();
  }
  await server.stop();
  rmSync(folder, { recursive: true });
});
