import { randomBytes } from "node:crypto";
import { migratedDatabaseUrl } from "./fresh-database";

/** What no process of Gancho starts without: an empty database and keys, each of its own, and what is given. */
export async function configure(set: Record<string, string> = {}): Promise<void> {
  Object.assign(process.env, {
    DATABASE_URL: set["DATABASE_URL"] ?? (await migratedDatabaseUrl()),
    ...newKeys(),
    ...set,
  });
}

export const newKeys = () => ({
  AUTH_SECRET: randomBytes(32).toString("base64"),
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
});
