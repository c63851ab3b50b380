import { env } from "@/lib/platform/env/env";
import { acceptState } from "@/lib/history/server/verify/state/baseline";
import { people } from "@/lib/platform/secrets/people";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { Misuse, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- accept-state PARTNER… | --all

Accepts the present contents of the database as correct, for the partners named (the people of the
installation: ${people}) or for all. Use it when verify-history reported rows that differ and you
understand why, for example after a repair by hand. It adds an entry to each history, which records
that this was done and what was accepted. It also writes the end of each history to the anchor file
again, for when an old anchor file was moved away. It changes nothing else.`,
  options: { all: { type: "boolean" } },
  positionals: 10_000,
  run: async ({ values, positionals }) => {
    const all = values["all"] === true;
    if (all === positionals.length > 0) throw new Misuse("name partners, or --all");
    const db = await prepareDatabase(env());
    const partners = positionals.filter((chain) => chain !== people);
    for (const partner of partners) {
      const found = await db
        .selectFrom("partners")
        .select("id")
        .where("id", "=", partner)
        .executeTakeFirst();
      if (!found) throw new Failure(`there is no partner ${partner}; nothing was accepted`);
    }
    await acceptState(db, all ? null : [...new Set(positionals)]);
    await db.destroy();
    console.log("What the database holds now is what the history says, from this moment on.");
  },
};
