import { makeLinkAtTerminal } from "@/lib/platform/auth/passwords/password-link";
import { env } from "@/lib/platform/env/env";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { required, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- password-link --email ADDRESS

Prints a link with which a person chooses a new password. It is for a person who cannot sign in, and
for one who has to prove their address where Gancho sends no mail. When you hand the link over, you
vouch that the address is that person's. The first time an account's address is proven, Gancho
removes what the account had before: a password, one-time codes, passkeys, sessions, open links and
the browsers it knew. The link works once, for 72 hours. Earlier links stop working.

  --email ADDRESS  the person's address here`,
  options: { email: { type: "string" } },
  positionals: 0,
  run: async (given) => {
    const email = required(given, "email").toLowerCase();
    const db = await prepareDatabase(env());
    const made = await makeLinkAtTerminal(db, email);
    await db.destroy();
    if (made.outcome === "nobody")
      throw new Failure(
        `nobody who may sign in here has the address ${email}; nothing was changed`,
      );
    if (made.outcome === "elsewhere")
      throw new Failure(
        `${email} signs in with single sign-on and has no password; nothing was changed`,
      );
    console.log(made.link);
  },
};
