import { withDatabase } from "@/lib/cli/prepare-database";
import { env } from "@/lib/platform/env/env";
import { revokeOpenAccess, type Ended } from "@/lib/retention/server/after-restore";
import { UsageError, type Command } from "./command";

export const command: Command = {
  help: `Usage: gancho after-restore --yes

For a database that was put back in time: by a backup, by pg_restore, by a snapshot of the machine.
Run it once, before Gancho starts again, with the anchor files of the backup in place.

Whatever ended after the backup was made would work again. So this command ends, in one transaction,
everything that the backup has open: sessions, sign-ins that have begun, password links,
invitations, changes that wait for approval, links that confirm an alert address, and receiving
addresses. People sign in again, and admins invite and propose again. Each history gets an entry that states that it was restored: entries that were logged with its position or a later one no longer exist.

It cannot know what else was taken away since the backup, such as members, staff, passwords and
passkeys: docs/operate.md, "After an older backup was restored", lists what to check.

  --yes  does it; for a database that was not put back in time, this would be untrue, and cannot be
         undone`,
  options: { yes: { type: "boolean" } },
  positionals: 0,
  run: async ({ values }) => {
    if (values["yes"] !== true)
      throw new UsageError("--yes is missing: everybody is signed out, and each history says why");
    await withDatabase(env(), async (db) => console.log(endedLine(await revokeOpenAccess(db))));
  },
};

/** For the operator. */
export function endedLine(ended: Ended): string {
  const { sessions, links, invitations, changes, confirmations, captures } = ended;
  const counts = [
    `sessions: ${sessions.toLocaleString("en")}`,
    `password links: ${links.toLocaleString("en")}`,
    `invitations: ${invitations.toLocaleString("en")}`,
    `changes that waited for approval: ${changes.toLocaleString("en")}`,
    `links that confirm an alert address: ${confirmations.toLocaleString("en")}`,
    `receiving addresses: ${captures.toLocaleString("en")}`,
  ];
  return `What the backup had open was ended (${counts.join(", ")}). What else works again, and what to check: docs/operate.md, "After an older backup was restored".`;
}
