import { errorCode } from "@/lib/platform/runtime/error-code";
import { keyProblems } from "@/lib/cli/key-lines";
import { databaseFailure } from "@/lib/cli/database-failure";
import { isDemoDatabase } from "@/lib/cli/demo/marker";
import { compareClocks, isOff } from "@/lib/platform/database/clock";
import { schemaState } from "@/lib/platform/database/migrate";
import { isPostgres, openDatabase, type Db } from "@/lib/platform/database/open";
import { writeFault } from "@/lib/platform/database/write-fault";
import type { Env } from "@/lib/platform/env/env";
import { keyringOf } from "@/lib/platform/secrets/envelope";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { finding, type Finding } from "./finding";

/** Whether the database can be reached and used. Changes nothing. */
export async function checkDatabase(config: Env): Promise<Finding[]> {
  const url = config.databaseUrl.reveal();
  const file = path.resolve(url.replace(/^file:/, ""));
  // Opening it would create it.
  if (!isPostgres(url) && !existsSync(file)) return [newFile(file)];
  // A fault of its certificate's file is one of the database, too.
  let db: Db | undefined;
  try {
    db = openDatabase(url);
    return await queryDatabase(db, config);
  } catch (error) {
    return [finding("stops", "database", databaseFailure(config.databaseUrl, error).message)];
  } finally {
    await db?.destroy();
  }
}

function newFile(file: string): Finding {
  const folder = path.dirname(file);
  return isWritable(folder)
    ? finding("ok", "database", `${file} is not there yet; the first start makes it`)
    : finding(
        "stops",
        "database",
        `${file} cannot be created: let this user write to ${folder}, or set DATABASE_URL`,
      );
}

/** Also for a folder that a start would make: whether the nearest existing one can be written. */
export function isWritable(folder: string): boolean {
  const at = path.resolve(folder);
  try {
    accessSync(path.join(at, path.sep), constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const isGone = errorCode(error) === "ENOENT";
    return isGone && at !== path.dirname(at) && isWritable(path.dirname(at));
  }
}

async function queryDatabase(db: Db, config: Env): Promise<Finding[]> {
  const schema = await schemaState(db);
  const found = [
    finding("ok", "database", "answers"),
    ...clockFindings(await compareClocks(db)),
    tables[schema],
  ];
  if (schema !== "current") return found;
  if (config.mode === "production" && (await isDemoDatabase(db)))
    found.push(
      finding(
        "stops",
        "database",
        "is the demo's, whose passwords are public: set DATABASE_URL to another",
      ),
    );
  const fault = await writeFault(db);
  if (fault) found.push(finding("stops", "database", `takes no writes: ${writeFaults[fault]}`));
  const problems = await keyProblems(db, keyringOf(config.encryptionKeys));
  return [
    ...found,
    ...(problems.length > 0
      ? problems.map((line) => finding("stops", "encryption keys", line))
      : [finding("ok", "encryption keys", "open what the database has")]),
  ];
}

const tables = {
  current: finding("ok", "tables", "are up to date"),
  older: finding("note", "tables", "are not there yet, or not up to date: the next start migrates"),
  newer: finding(
    "stops",
    "tables",
    "a newer release has changed them so that this one cannot work with them: start that one, or restore the backup from before the upgrade",
  ),
};

const writeFaults = {
  disk_full: "its disk is full; free some space",
  read_only: "point DATABASE_URL to the primary server",
};

function clockFindings(aheadMs: number | null): Finding[] {
  if (aheadMs === null) return [];
  if (!isOff(aheadMs)) return [finding("ok", "clock", "this machine's agrees with the database's")];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return [
    finding(
      "fails",
      "clock",
      `this machine's is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's: synchronise both, for example with chrony`,
    ),
  ];
}
