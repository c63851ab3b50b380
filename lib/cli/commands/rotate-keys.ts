import { forPrograms } from "@/lib/platform/database/deadline";
import { schemaState } from "@/lib/platform/database/migrate";
import { isPostgres, openDatabase, type Db } from "@/lib/platform/database/open";
import { env, type Env } from "@/lib/platform/env/env";
import { reportKeys } from "@/lib/platform/secrets/key-report";
import { keyringOf, type Keyring } from "@/lib/platform/secrets/keyring";
import { rewrapAll, type NotRewrapped } from "@/lib/platform/secrets/rewrap";
import { existsSync } from "node:fs";
import { databaseFailure } from "@/lib/cli/database-failure";
import { Failure } from "@/lib/cli/failure";
import { keyLines } from "@/lib/cli/key-lines";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { progressOn } from "@/lib/cli/progress";
import type { Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- rotate-keys [--check] [--reactivate]

Re-encrypts the secrets of all partners with the active key, the first one of ENCRYPTION_KEYS, while
Gancho serves, and reports which keys may then be removed. You can stop it at any time and start it
again, and two may run at once. It changes no configuration. The steps, in their order:

  1. Add the new key behind the others, on every instance of Gancho, and restart each:
       ENCRYPTION_KEYS=k1:…,k2:…
  2. Put it in front, on every instance, and restart each:
       ENCRYPTION_KEYS=k2:…,k1:…
  3. npm run gancho -- rotate-keys
     From here on no instance encrypts anything with k1, not even one that step 2 has not reached.
  4. When the command reports that you may, remove the old key on every instance and restart each:
       ENCRYPTION_KEYS=k2:…
     Keep it as long as you keep backups from before: only this key decrypts them.

  --check       only reports which keys are needed, by how many partners; decrypts everything once
  --reactivate  also when the active key was taken out of use before, to go back to it

Exit code 0: everything is under the active key. 1: something is not, or this could not be
determined.

  npm run gancho -- rotate-keys
  npm run gancho -- rotate-keys --check`,
  options: { check: { type: "boolean" }, reactivate: { type: "boolean" } },
  positionals: 0,
  run: async ({ values }) => {
    const config = env();
    const keyring = keyringOf(config.encryptionKeys);
    const db =
      values["check"] === true
        ? await openOnly(config)
        : await prepareDatabase(config, { retired: true });
    try {
      if (values["check"] !== true)
        await rotate(db, keyring, { reactivate: values["reactivate"] === true });
      const report = await reportKeys(db, keyring);
      for (const line of keyLines(report)) console.log(line);
      const isDone = report.keys.every((key) => !["needed", "missing"].includes(key.standing));
      process.exitCode = isDone && report.closed.length === 0 ? 0 : 1;
    } catch (error) {
      throw error instanceof Failure ? error : databaseFailure(config.databaseUrl, error);
    } finally {
      await db.destroy();
    }
  },
};

async function rotate(
  db: Db,
  keyring: Keyring,
  { reactivate }: { reactivate: boolean },
): Promise<void> {
  const { report, end } = progressOn(process.stdout, `looked at, for ${keyring.active.id}`);
  const result = await rewrapAll(db, keyring, { reactivate, report });
  end();
  if (typeof result === "string") throw new Failure(inWords(result, keyring.active.id));
}

function inWords(why: NotRewrapped, active: string): string {
  return why === "overtaken"
    ? `another rotate-keys, started since, takes ${active} out of use: give all instances the same ENCRYPTION_KEYS, and start again`
    : `the active key ${active} was taken out of use before: put the newer key in front, or add --reactivate to go back to this one`;
}

/** Changes nothing. Throws `Failure`. */
async function openOnly({ databaseUrl }: Env): Promise<Db> {
  const url = databaseUrl.reveal();
  if (!isPostgres(url) && !existsSync(url.replace(/^file:/, "")))
    throw new Failure(`there is no database at ${url}`);
  const db = openDatabase(url, { limits: forPrograms });
  const schema = await schemaState(db).catch((error: unknown) => {
    throw databaseFailure(databaseUrl, error);
  });
  if (schema === "older")
    throw new Failure("the tables are of an older version: run gancho migrate first");
  if (schema === "newer")
    throw new Failure("a newer release has changed the tables: run this command of that release");
  return db;
}
