import { env } from "@/lib/platform/env/env";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import type { Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- migrate

Brings the tables of DATABASE_URL up to date. npm start does so by itself; this is for those who
want it done before, or by another user of the database. Does nothing when there is nothing to do.`,
  options: {},
  positionals: 0,
  run: async () => {
    const db = await prepareDatabase(env());
    await db.destroy();
    console.log("The database is up to date.");
  },
};
