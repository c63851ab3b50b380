import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import {
  passwordFault,
  passwordLength,
  type PasswordFault,
} from "@/lib/platform/auth/passwords/password-rules";
import { isNameTaken } from "@/lib/platform/auth/person-names";
import { env } from "@/lib/platform/env/env";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import { atTheTerminal } from "@/lib/history/server/record/record";
import { insertStaff, recordStaffAdded } from "@/lib/staff/server/staff";
import { newStaffSchema, type NewStaff } from "@/lib/staff/model/staff";
import { CliError } from "@/lib/cli/failure";
import { onDatabase, prepareDatabase } from "@/lib/cli/prepare-database";
import { readNewPassword } from "@/lib/cli/read-password";
import { UsageError, required, type Command } from "./command";

const faults: Record<PasswordFault, string> = {
  too_short: `the password has fewer than ${passwordLength.min} characters`,
  too_long: `the password has more than ${passwordLength.max} characters`,
  common: "the password is one that many people use",
  contains_name: "the password contains the person's name or the product's",
};

export const command: Command = {
  help: `Usage: gancho create-operator --email ADDRESS --name NAME

Adds a person who runs the installation: an operator creates partners and staff, and sees the
installation's health. You need it once, for the first operator; further staff can be added on the
screen.

  --email ADDRESS  the address with which they sign in
  --name NAME      the name that others see in the history

With SIGN_IN=provider they sign in at the provider with that address, and need no password. Else the
command prompts for it (at least ${passwordLength.min} characters), or reads it from the first line of standard input:

  gancho create-operator --email ana@example.com --name "Ana Reis" < password-file`,
  options: { email: { type: "string" }, name: { type: "string" } },
  positionals: 0,
  run: async (given) => {
    const { data: person, error } = newStaffSchema.safeParse({
      email: required(given, "email"),
      name: required(given, "name"),
      role: "operator",
    });
    if (!person) {
      const [first] = fieldErrors(error.issues);
      throw new UsageError(`--${first?.path} is not valid: ${first?.message}`);
    }
    if (isNameTaken(person.name, []))
      throw new UsageError("--name looks like a name of Gancho itself");
    const config = env();
    await onDatabase(config, await prepareDatabase(config), async (db) => {
      const passwordHash = config.oidc?.isOnlyWay ? null : await hashOfNewPassword(person);
      const added = await db.transaction().execute(async (trx) => {
        const id = await insertStaff(trx, { ...person, passwordHash });
        if (id !== null) await recordStaffAdded(trx, { ...person, id }, atTheTerminal);
        return id !== null;
      });
      if (!added)
        throw new CliError(`somebody already has the address ${person.email}; nothing was changed`);
      console.log(`${person.name} can sign in as ${person.email}.`);
    });
  },
};

async function hashOfNewPassword(person: NewStaff): Promise<string> {
  const password = await readNewPassword();
  const fault = passwordFault(password, person);
  if (fault) throw new CliError(faults[fault]);
  return hashPassword(password, hashOfProgram);
}
