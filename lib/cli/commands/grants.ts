import { databaseFailure } from "@/lib/cli/database-failure";
import { Failure } from "@/lib/cli/failure";
import { servingGrants } from "@/lib/cli/grants";
import { isPostgres, openDatabase } from "@/lib/platform/database/open";
import { env, type Env } from "@/lib/platform/env/env";
import { Misuse, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- grants ROLE

Prints, as SQL, the rights that a PostgreSQL user needs to serve Gancho, and no more: the user may
read and write the data that people work with, add to the history without changing or deleting any
of it, and may not create or change tables. The owner of the tables runs this SQL after each
migration; migrate --grant-to ROLE does both at once. This command itself changes nothing.

  createuser --pwprompt gancho_serving
  npm run gancho -- migrate --grant-to gancho_serving      with DATABASE_URL of the owner
  npm start                                                with DATABASE_URL of gancho_serving`,
  options: {},
  positionals: 1,
  run: async ({ positionals: [role] }) => {
    if (!role) throw new Misuse("the name of the role is missing");
    const config = env();
    requirePostgres(config);
    const db = openDatabase(config.databaseUrl.reveal());
    try {
      for (const statement of await servingGrants(db, role)) console.log(`${statement};`);
    } catch (error) {
      throw error instanceof Failure ? error : databaseFailure(config.databaseUrl, error);
    } finally {
      await db.destroy();
    }
  },
};

/** Throws `Failure`. */
export function requirePostgres({ databaseUrl }: Env): void {
  if (!isPostgres(databaseUrl.reveal()))
    throw new Failure("DATABASE_URL is the embedded database, which has no users of its own");
}
