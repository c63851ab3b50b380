import { forPrograms } from "@/lib/platform/database/deadline";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import type { Env } from "@/lib/platform/env/env";
import { keyringOf } from "@/lib/platform/secrets/envelope";
import { databaseFailure } from "./database-failure";
import { isDemoDatabase } from "@/lib/cli/demo/data";
import { Misconfigured } from "./failure";
import { matchKeys } from "./key-lines";

/**
 * Opens the database, brings its tables up to date and makes sure that it belongs to this configuration. Throws
 * `CliError` in words for the operator. The caller closes it. `migrated`: called with how many migrations ran.
 */
export async function prepareDatabase(
  env: Env,
  { migrated }: { migrated?: (count: number) => void } = {},
): Promise<Db> {
  const db = openDatabase(env.databaseUrl.reveal(), { limits: forPrograms });
  try {
    const count = await migrateToLatest(db);
    migrated?.(count);
  } catch (error) {
    throw databaseFailure(env.databaseUrl, error);
  }
  if (env.mode === "production" && (await isDemoDatabase(db)))
    throw new Misconfigured(
      "DATABASE_URL is the demo's database, whose passwords are public: set another",
    );
  await matchKeys(db, keyringOf(env.encryptionKeys));
  return db;
}
