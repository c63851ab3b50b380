import { resetCodes } from "@/lib/platform/auth/reset-at-terminal";
import { env } from "@/lib/platform/env/env";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { required, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- reset-one-time-codes --email ADDRESS

For a person who has lost both the device that makes their one-time codes and their recovery codes.
From then on the password alone signs them in, until they set codes up again. Make sure that the
request really comes from them. They are signed out.

  --email ADDRESS  the person's address here`,
  options: { email: { type: "string" } },
  positionals: 0,
  run: async (given) => {
    const email = required(given, "email").toLowerCase();
    const db = await prepareDatabase(env());
    const outcome = await resetCodes(db, email);
    await db.destroy();
    if (outcome === "nobody")
      throw new Failure(`nobody here has the address ${email}; nothing was changed`);
    if (outcome === "none")
      throw new Failure(`${email} has no one-time codes set up; nothing was changed`);
    console.log(
      `The one-time codes and recovery codes of ${email} are gone, and they are signed out everywhere.\n` +
        `The password alone signs them in until they set codes up again, under Your account.`,
    );
  },
};
