import { unlinkAccount } from "@/lib/platform/auth/reset-at-terminal";
import { env } from "@/lib/platform/env/env";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { required, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- unlink-account --email ADDRESS

Single sign-on remembers by which account of the provider a person first signed in, and refuses
another one with the same address: it may have been given to somebody else. This forgets it, for
a person who really has a new account there: the next one with the address is theirs. They are
signed out.

  --email ADDRESS  the person's address here`,
  options: { email: { type: "string" } },
  positionals: 0,
  run: async (given) => {
    const email = required(given, "email").toLowerCase();
    const db = await prepareDatabase(env());
    const found = await unlinkAccount(db, email);
    await db.destroy();
    if (!found) throw new Failure(`nobody here has the address ${email}`);
    console.log(`The next account with the address ${email} is theirs.`);
  },
};
