import { databaseFailure } from "@/lib/cli/database-failure";
import { Failure } from "@/lib/cli/failure";
import { grantServing } from "@/lib/cli/grants";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { isPostgres } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- migrate [--grant-to ROLE]

Brings the tables of DATABASE_URL up to date. npm start does this by itself; use this command to do
it earlier, or as another user of the database. If the tables are up to date, it does nothing.

  --grant-to ROLE  then grants this PostgreSQL user the rights that it needs to serve Gancho, and no
                   more: it reads and writes the data that people work with, adds to the history
                   without changing or deleting any of it, and may not create or change tables.
                   Run it as the owner of the tables, before each upgrade:

  createuser --pwprompt gancho_serving
  npm run gancho -- migrate --grant-to gancho_serving      with DATABASE_URL of the owner
  npm start                                                with DATABASE_URL of gancho_serving`,
  options: { "grant-to": { type: "string" } },
  positionals: 0,
  run: async ({ values }) => {
    const config = env();
    const role = values["grant-to"];
    if (typeof role === "string" && !isPostgres(config.databaseUrl.reveal()))
      throw new Failure("DATABASE_URL is the embedded database, which has no users of its own");
    let ran = 0;
    const db = await prepareDatabase(config, { migrated: (count) => (ran = count) });
    try {
      if (typeof role === "string")
        await grantServing(db, role).catch((error: unknown) => {
          throw error instanceof Failure ? error : databaseFailure(config.databaseUrl, error);
        });
    } finally {
      await db.destroy();
    }
    console.log(
      ran === 0
        ? "The database was up to date: there was nothing to migrate."
        : `The database is up to date: ${ran === 1 ? "1 migration" : `${ran} migrations`} ran.`,
    );
    if (typeof role === "string") console.log(`${role} can serve with it.`);
  },
};
