import { databaseFailure } from "@/lib/cli/database-failure";
import { Failure } from "@/lib/cli/failure";
import { grantServing } from "@/lib/cli/grants";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { env } from "@/lib/platform/env/env";
import type { Command } from "./command";
import { requirePostgres } from "./grants";

export const command: Command = {
  help: `Usage: npm run gancho -- migrate [--grant-to ROLE]

Brings the tables of DATABASE_URL up to date. npm start does so by itself; this is for those who
want it done before, or by another user of the database. Does nothing when there is nothing to do.

  --grant-to ROLE  then gives this user of PostgreSQL what it needs to serve with, and no more (see
                   grants): history can be added by it, and not changed or deleted`,
  options: { "grant-to": { type: "string" } },
  positionals: 0,
  run: async ({ values }) => {
    const config = env();
    const role = values["grant-to"];
    if (typeof role === "string") requirePostgres(config);
    const db = await prepareDatabase(config);
    try {
      if (typeof role === "string")
        await grantServing(db, role).catch((error: unknown) => {
          throw error instanceof Failure ? error : databaseFailure(config.databaseUrl, error);
        });
    } finally {
      await db.destroy();
    }
    console.log("The database is up to date.");
    if (typeof role === "string") console.log(`${role} can serve with it.`);
  },
};
