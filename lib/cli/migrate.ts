import { env } from "@/lib/platform/env/env";
import { runProgram } from "./failure";
import { prepareDatabase } from "./prepare-database";

/**
 * Run by `start.ts` before it serves: a separate program, because the one that renders pages cannot load
 * lib/platform/database.
 */
await runProgram("Gancho cannot start", async () => {
  const db = await prepareDatabase(env());
  await db.destroy();
});
process.exit(0);
