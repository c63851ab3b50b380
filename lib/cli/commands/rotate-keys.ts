import { forPrograms } from "@/lib/platform/database/deadline";
import { schemaState } from "@/lib/platform/database/migrate";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { env, type Env } from "@/lib/platform/env/env";
import { keysInUse } from "@/lib/platform/secrets/key-faults";
import { keyringOf, type Keyring } from "@/lib/platform/secrets/envelope";
import { rewrapAll } from "@/lib/platform/secrets/rewrap";
import { databaseFailure } from "@/lib/cli/database-failure";
import { CliError } from "@/lib/cli/failure";
import { counted, keyLine } from "@/lib/cli/key-lines";
import { onDatabase, prepareDatabase, requireDatabase } from "@/lib/cli/prepare-database";
import type { Command } from "./command";

export const command: Command = {
  help: `Usage: gancho rotate-keys [--check]

Re-encrypts all data keys with the active key, the first one of ENCRYPTION_KEYS, while Gancho
serves, and reports how many each key still encrypts. You can stop it at any time and start it again,
and two may run at once. It changes no configuration. The steps, in their order:

  1. Add the new key behind the others, on every instance of Gancho, and restart each:
       ENCRYPTION_KEYS=k1:…,k2:…
  2. Put it in front, on every instance, and restart each:
       ENCRYPTION_KEYS=k2:…,k1:…
  3. gancho rotate-keys
  4. When rotate-keys --check says that no data key needs the old one, remove it on every instance
     and restart each:
       ENCRYPTION_KEYS=k2:…
     Keep it as long as you keep backups from before: only this key decrypts them. An instance that
     missed step 2 may have encrypted something with it since: then no instance starts without it.

  --check  only reports, and changes nothing

Exit code 0: everything is under the active key. 1: something is not.`,
  options: { check: { type: "boolean" } },
  positionals: 0,
  run: async ({ values }) => {
    const config = env();
    const keyring = keyringOf(config.encryptionKeys);
    const isCheck = values["check"] === true;
    requireDatabase(config);
    const opened = isCheck ? await openWithoutMigrating(config) : await prepareDatabase(config);
    await onDatabase(config, opened, async (db) => {
      const closed = isCheck ? [] : await rotate(db, keyring);
      const keys = await keysInUse(db, keyring);
      for (const key of keys) console.log(keyLine(key));
      if (closed.length > 0)
        console.log(
          `${counted(closed.length)} could not be decrypted, because what is stored was altered: of ${closed.slice(0, 10).join(", ")}${closed.length > 10 ? ", …" : ""}.`,
        );
      const isDone = keys.every(({ standing }) => ["active", "unused"].includes(standing));
      process.exitCode = isDone ? 0 : 1;
    });
  },
};

/** How often it prints its progress, milliseconds. */
const reportEveryMs = 5_000;

async function rotate(db: Db, keyring: Keyring): Promise<string[]> {
  let reportedAt = performance.now();
  const { closed } = await rewrapAll(db, keyring, (rewrapped) => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    console.log(`${counted(rewrapped)} re-encrypted …`);
  });
  return closed;
}

/** Changes nothing. Throws `CliError`. */
async function openWithoutMigrating({ databaseUrl }: Env): Promise<Db> {
  const db = openDatabase(databaseUrl.reveal(), { limits: forPrograms });
  const schema = await schemaState(db).catch((error: unknown) => {
    throw databaseFailure(databaseUrl, error);
  });
  if (schema === "older")
    throw new CliError("the tables are of an older version: run gancho migrate first");
  if (schema === "newer")
    throw new CliError("a newer release has changed the tables: run this command of that release");
  return db;
}
