import { resetPasskeys } from "@/lib/platform/auth/reset-at-terminal";
import { env } from "@/lib/platform/env/env";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { required, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- reset-passkeys --email ADDRESS

For a person who has lost the devices that keep their passkeys, or fears that someone has a copy.
From then on they sign in as if they never had a passkey, with the password or by single sign-on.
Where REQUIRE_PASSKEYS requires one, they must then add a new one before anything else opens. Make
sure that the request really comes from them. They are signed out.

  --email ADDRESS  the person's address here`,
  options: { email: { type: "string" } },
  positionals: 0,
  run: async (given) => {
    const email = required(given, "email").toLowerCase();
    const db = await prepareDatabase(env());
    const outcome = await resetPasskeys(db, email);
    await db.destroy();
    if (outcome === "nobody")
      throw new Failure(`nobody here has the address ${email}; nothing was changed`);
    if (outcome === "none") throw new Failure(`${email} has no passkey; nothing was changed`);
    console.log(
      `The passkeys of ${email} are gone, and they are signed out everywhere.\n` +
        `They sign in with the password or by single sign-on, and add a passkey under Your account.`,
    );
  },
};
