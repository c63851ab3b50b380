import { unlinkAccount } from "@/lib/platform/auth/reset-at-terminal";
import { env } from "@/lib/platform/env/env";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { required, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- unlink-account --email ADDRESS

Single sign-on remembers the account at the provider with which a person first signed in. It refuses
another account with the same address, because the address may now belong to someone else. This
command deletes that record, for a person who really has a new account there: the next account that
signs in with the address is theirs. They are signed out.

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
