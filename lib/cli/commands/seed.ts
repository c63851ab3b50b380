import { env } from "@/lib/platform/env/env";
import { sql } from "kysely";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { seedPartners } from "@/lib/cli/seed/seed-partners";
import { Misuse, required, type Command } from "./command";

const most = 1_000_000;

export const command: Command = {
  help: `Usage: npm run gancho -- seed --partners N [--yes]

Adds N made-up partners (at most ${most.toLocaleString("en")}), to try the dashboard with many. In every
environment, each has a connection that no service knows and a last read. Partners that exist
already stay as they are, so you can repeat and continue the command.

  --partners N  how many
  --yes         required in a production configuration, where the command otherwise refuses: no
                command removes these partners again`,
  options: { partners: { type: "string" }, yes: { type: "boolean" } },
  positionals: 0,
  run: async (given) => {
    const count = Number(required(given, "partners"));
    if (!Number.isInteger(count) || count < 1 || count > most)
      throw new Misuse(`--partners must be a number from 1 to ${most.toLocaleString("en")}`);
    const config = env();
    if (config.mode === "production" && given.values["yes"] !== true)
      throw new Failure(
        "this is a production configuration, and made-up partners cannot be removed: add --yes if you mean it",
      );
    const db = await prepareDatabase(config);
    const environments = [...config.environments.keys()];
    const added = await seedPartners(db, count, environments, (done) =>
      console.log(`${done.toLocaleString("en")} of ${count.toLocaleString("en")}`),
    );
    await sql`analyze`.execute(db);
    await db.destroy();
    console.log(
      `Added ${added.toLocaleString("en")} partners; ${(count - added).toLocaleString("en")} were there already.`,
    );
  },
};
