import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { runProgram } from "./failure";
import { prepareDatabase } from "./prepare-database";
import { noteRequirement } from "@/lib/team/server/four-eyes/requirement";
import { compareSettings, noteSettings } from "./settings";

/**
 * Run by `start.ts` before it serves: a separate program, because the one that renders pages cannot load
 * lib/platform/database.
 */
await runProgram("Gancho cannot start", async () => {
  const config = env();
  const db = await prepareDatabase(config);
  const settings = await compareSettings(db, config);
  if (settings && settings.others.length > 0)
    log.warn(settings, "the last start on this database had other settings");
  await noteSettings(db, config);
  await noteRequirement(db);
  await db.destroy();
});
process.exit(0);
