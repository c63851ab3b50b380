import { CliError } from "@/lib/cli/failure";
import { requireOwner, withDatabase } from "@/lib/cli/prepare-database";
import { env } from "@/lib/platform/env/env";
import { erasePerson, previewErasure, type Erasure } from "@/lib/retention/server/erase-person";
import { UsageError, type Command } from "./command";

export const command: Command = {
  help: `Usage: gancho erase-person EMAIL [--yes]

Shows what Gancho knows of the person with this address; with --yes it erases them, permanently. The
history and everything else refer to them by the id of their account, which stays without a name:
from then on they are "Erased person", what they did stays, and verify-history passes. Their network
addresses in the history are deleted, and so are their memberships, invitations, sessions, passkeys,
codes, single sign-on accounts, waiting mails, and an alert address that is theirs.

It refuses for the only operator, for the only admin of a partner, and while one of their changes
waits for approval, or was sent in the last ten minutes and may still take effect.

It does not erase: what people wrote themselves, such as a reason; an address that an admin entered as
an alert address, in the entries about that; the address that was entered in
an attempt to sign in, where no one known here has it; backups, logs, exports and mails
that were sent. After you restore an older backup, erase the person again.

If the database has two users, run it as the one that owns the tables.

  --yes  erases; without it nothing is changed

Exit code 0: the person is erased, or without --yes could be. 1: the command refused, or no one has
this address.`,
  options: { yes: { type: "boolean" } },
  positionals: 1,
  run: async ({ values, positionals: [given] }) => {
    const email = given?.trim().toLowerCase();
    if (!email) throw new UsageError("the EMAIL is missing");
    const config = env();
    await withDatabase(config, async (db) => {
      const preview = await previewErasure(db, email);
      if (!preview)
        throw new CliError(
          `nobody here has, was invited with, or is alerted at, the address ${email}; nothing was changed`,
        );
      for (const line of inWords(preview, email)) console.log(line);
      refuse(preview.because);
      if (values["yes"] !== true) {
        console.log("Nothing was changed. To erase them for good, add --yes.");
        return;
      }
      await requireOwner(config, db);
      const erased = await erasePerson(db, email);
      if (erased.outcome === "refused") refuse(erased.because);
      console.log("Erased.");
    });
  },
};

/** Throws `CliError` where there is a reason. */
function refuse(because: readonly string[]): void {
  if (because.length > 0)
    throw new CliError(`cannot be erased: ${because.join("; ")}. Nothing was changed`);
}

function inWords(erasure: Erasure, email: string): string[] {
  const { person, partners, invitations, alertAddresses, entries } = erasure;
  const number = (value: number) => value.toLocaleString("en");
  return [
    person ? `${person.name} <${email}>, id ${person.id}` : `${email}: no account`,
    ...(person?.staffRole ? [`  staff: ${person.staffRole}`] : []),
    `  in partners: ${partners.length > 0 ? partners.join(", ") : "none"}; invitations: ${number(invitations)}; alert addresses: ${number(alertAddresses)}`,
    `  entries of the history that name them or show their address: ${number(entries)}`,
  ];
}
