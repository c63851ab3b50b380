import { makeInvitationLinks } from "@/lib/team/server/invitations/create-invitation";
import { makeLinkAtTerminal } from "@/lib/platform/auth/passwords/password-link";
import { resetCodes, resetPasskeys, unlinkAccount } from "@/lib/platform/auth/reset-at-terminal";
import type { Db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { CliError } from "@/lib/cli/failure";
import { withDatabase } from "@/lib/cli/prepare-database";
import { UsageError, type Command } from "./command";

/** Each returns the line to print, or throws `CliError` and changes nothing. */
const ways: Record<string, (db: Db, email: string) => Promise<string>> = {
  password: async (db, email) => {
    const made = await makeLinkAtTerminal(db, email);
    if (made.outcome === "nobody") throw nobody(email);
    if (made.outcome === "elsewhere")
      throw unchanged(`${email} signs in with single sign-on and has no password`);
    return made.link;
  },
  invitation: async (db, email) => {
    const links = await makeInvitationLinks(db, email);
    if (links.length === 0) throw unchanged(`no open invitation is for ${email}`);
    return links.join("\n");
  },
  codes: async (db, email) => {
    const outcome = await resetCodes(db, email);
    if (outcome === "nobody") throw nobody(email);
    if (outcome === "none") throw unchanged(`${email} has no one-time codes set up`);
    return `The one-time codes and recovery codes of ${email} are gone, and they are signed out everywhere.
The password alone signs them in until they set codes up again, under Your account.`;
  },
  passkeys: async (db, email) => {
    const outcome = await resetPasskeys(db, email);
    if (outcome === "nobody") throw nobody(email);
    if (outcome === "none") throw unchanged(`${email} has no passkey`);
    return `The passkeys of ${email} are gone, and they are signed out everywhere.
They sign in with the password or by single sign-on, and add a passkey under Your account.`;
  },
  provider: async (db, email) => {
    if ((await unlinkAccount(db, email)) === "nobody") throw nobody(email);
    return `The next account with the address ${email} is theirs.`;
  },
};

const ofOwnSignIn = new Set(["password", "invitation", "codes"]);

const unchanged = (why: string) => new CliError(`${why}; nothing was changed`);
const nobody = (email: string) => unchanged(`no person with access has the address ${email}`);

export const command: Command = {
  help: `Usage: gancho reset-access EMAIL --password|--invitation|--codes|--passkeys|--provider

For a person who cannot sign in any more, or not yet. Make sure that the request really comes from
them: whoever gets a link from you has the account of that address.

  --password  prints a link with which they choose a password: a new one, or their first. It works
              once, for 72 hours; earlier ones stop working.
  --invitation
              prints a link for each invitation that waits for this address, where Gancho sends no
              mail. It works once, for as long as the invitation; earlier ones stop working.
  --codes     removes their one-time codes, for somebody who lost the device that makes them and the
              recovery codes: the password alone signs them in until they set codes up again
  --passkeys  removes their passkeys, for somebody who lost the devices that keep them, or fears a
              copy. Where REQUIRE_SECOND_FACTOR requires one, they must add a new one before anything
              else opens.
  --provider  forgets the account at the single sign-on provider with which they first signed in.
              Gancho refuses another one with the same address, because the address may now belong
              to someone else: use it for somebody who really has a new account there.

The last three sign them out everywhere. With SIGN_IN=provider there are only the last two.`,
  options: Object.fromEntries(Object.keys(ways).map((way) => [way, { type: "boolean" }])),
  positionals: 1,
  run: async ({ values, positionals: [email] }) => {
    if (!email) throw new UsageError("the person's address is missing");
    const [way, ...others] = Object.keys(ways).filter((each) => values[each] === true);
    const reset = ways[way ?? ""];
    if (way !== undefined && ofOwnSignIn.has(way) && env().oidc?.isOnlyWay)
      throw unchanged(`people sign in at the provider alone (SIGN_IN), so --${way} opens nothing`);
    if (!reset || others.length > 0)
      throw new UsageError(
        "give one of --password, --invitation, --codes, --passkeys and --provider",
      );
    await withDatabase(env(), async (db) => console.log(await reset(db, email.toLowerCase())));
  },
};
