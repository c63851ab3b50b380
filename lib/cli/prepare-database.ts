import { migrateToLatest } from "@/lib/db/migrate";
import { openDatabase, type Db } from "@/lib/db/open";
import type { Env } from "@/lib/env";
import { indexMissingPartners } from "@/lib/partners/index-missing";
import { keyringOf } from "@/lib/secrets/keyring";
import { lostKeys } from "@/lib/secrets/lost-keys";
import { databaseFailure } from "./database-failure";
import { isDemoDatabase } from "./demo/marker";
import { Failure } from "./failure";

/**
 * Opens the database, brings its tables up to date and makes sure that it belongs to this configuration.
 * Throws `Failure` in words for whoever starts the program. The caller closes what it gets.
 */
export async function prepareDatabase(env: Env): Promise<Db> {
  const db = openDatabase(env.databaseUrl.reveal());
  try {
    await migrateToLatest(db);
  } catch (error) {
    throw databaseFailure(env.databaseUrl, error);
  }
  if (env.mode === "production" && (await isDemoDatabase(db)))
    throw new Failure(
      "DATABASE_URL is the demo's database, whose passwords are public: set another",
    );
  const lost = await lostKeys(db, keyringOf(env.encryptionKeys));
  if (lost.length > 0)
    throw new Failure(
      `ENCRYPTION_KEYS lacks what sealed secrets in the database (${lost.join(", ")}): add it back after the active key`,
    );
  await indexMissingPartners(db);
  return db;
}
