import { env } from "@/lib/platform/env/env";
import { acceptState } from "@/lib/history/server/verify/state/baseline";
import { people } from "@/lib/platform/secrets/people";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { Misuse, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- accept-state PARTNER… | --all

Takes what the database holds for what it should be, for the partners named (the people of the
installation: ${people}) or for all: for when verify-history named rows that differ, and it is
understood why, such as a repair by hand. An entry in each history says that it was done, and what
was taken. It also notes the end of each history in the anchor file again, after an old one was
moved away. Nothing else is changed.`,
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
