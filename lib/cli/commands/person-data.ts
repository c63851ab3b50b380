import { CliError } from "@/lib/cli/failure";
import { withDatabase } from "@/lib/cli/prepare-database";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { personData } from "@/lib/retention/server/person-rows";
import { UsageError, type Command } from "./command";

export const command: Command = {
  help: `Usage: gancho person-data EMAIL

Prints what Gancho keeps of the person with this address, as JSON, for somebody who asks what is known
of them (LGPD, article 18): their account, names, sessions and devices, memberships, invitations, what
they changed, proposed and decided, their entries in the histories, and alerts to them. It prints no
password, secret, token or digest of one, and nobody else's address or name. Changes nothing.

Not in the database, and so not here: logs, backups, exports, and mails that were sent. Verify first
that the request really comes from this person.

Exit code 0: printed. 1: nobody here has this address, was invited with it, or is alerted at it.`,
  options: {},
  positionals: 1,
  run: async ({ positionals: [given] }) => {
    const email = given?.trim().toLowerCase();
    if (!email) throw new UsageError("the EMAIL is missing");
    // Standard output is for the data alone.
    log.level = "silent";
    await withDatabase(env(), async (db) => {
      const data = await personData(db, email);
      if (!data)
        throw new CliError(
          `nobody here has, was invited with, or is alerted at, the address ${email}`,
        );
      console.log(JSON.stringify(data, null, 2));
    });
  },
};
