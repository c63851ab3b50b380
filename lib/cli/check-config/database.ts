import { compareSettings } from "@/lib/cli/settings";
import { databaseFailure } from "@/lib/cli/database-failure";
import { databaseUser, type DatabaseUser } from "@/lib/cli/prepare-database";
import { hasMarker } from "@/lib/cli/demo/data";
import { keyProblems } from "@/lib/cli/key-lines";
import { anchorFileName } from "@/lib/history/server/verify/anchor-file";
import { behindAnchor, behindInWords } from "@/lib/history/server/verify/behind-anchor";
import { tablesWithoutRights } from "@/lib/cli/commands/migrate";
import { compareClocks, isOff } from "@/lib/platform/database/clock";
import { schemaState, type SchemaState } from "@/lib/platform/database/migrate";
import { isPostgres, openDatabase, type Db } from "@/lib/platform/database/open";
import { writeFault } from "@/lib/platform/database/unavailable";
import type { Env } from "@/lib/platform/env/env";
import { keyringOf } from "@/lib/platform/secrets/envelope";
import { existsSync } from "node:fs";
import path from "node:path";
import { check, isWritable, type Check } from "./checks";

/** Whether the database can be reached and used. Changes nothing. */
export async function checkDatabase(config: Env): Promise<Check[]> {
  const url = config.databaseUrl.reveal();
  const file = path.resolve(url.replace(/^file:/, ""));
  // Opening it would create it.
  if (!isPostgres(url) && !existsSync(file)) return [newFile(file)];
  const db = openDatabase(url);
  try {
    return await queryDatabase(db, config);
  } catch (error) {
    return [check("stops", "database", databaseFailure(config.databaseUrl, error).message)];
  } finally {
    await db.destroy();
  }
}

function newFile(file: string): Check {
  const folder = path.dirname(file);
  return isWritable(folder)
    ? check("ok", "database", `${file} is not there yet; the first start makes it`)
    : check(
        "stops",
        "database",
        `${file} cannot be created: let this user write to ${folder}, or set DATABASE_URL`,
      );
}

async function queryDatabase(db: Db, config: Env): Promise<Check[]> {
  const schema = await schemaState(db);
  const user = await databaseUser(config, db);
  const found = [
    check("ok", "database", "answers"),
    ...clockChecks(await compareClocks(db)),
    tablesCheck(schema, user),
  ];
  if (schema !== "current") return found;
  if (config.mode === "production" && (await hasMarker(db, "demo")))
    found.push(
      check(
        "stops",
        "database",
        "is the demo's, whose passwords are public: set DATABASE_URL to another",
      ),
    );
  const fault = await writeFault(db);
  if (fault) found.push(check("stops", "database", `takes no writes: ${writeFaults[fault]}`));
  if (user) found.push(await userCheck(db, user));
  const settings = await compareSettings(db, config);
  if (settings) found.push(settingsCheck(settings));
  const anchors = path.join(config.dataDir, anchorFileName);
  const behind = await behindAnchor(db, anchors);
  if (behind.length > 0) found.push(check("fails", "database", behindInWords(behind, anchors)));
  const problems = await keyProblems(db, keyringOf(config.encryptionKeys));
  return [
    ...found,
    ...(problems.length > 0
      ? problems.map((line) => check("stops", "encryption keys", line))
      : [check("ok", "encryption keys", "decrypt what the database has")]),
  ];
}

function tablesCheck(schema: SchemaState, user: DatabaseUser | null): Check {
  if (schema === "current") return check("ok", "tables", "are up to date");
  if (schema === "newer")
    return check(
      "stops",
      "tables",
      "a newer release has changed them so that this one cannot work with them: start that one, or restore the backup from before the upgrade",
    );
  const state = "are not there yet, or not up to date";
  return user && !(user.owns ?? user.mayCreate)
    ? check(
        "stops",
        "tables",
        `${state}, and ${user.name} may not change that: run gancho migrate --grant-to ${user.name}, as the user that owns them`,
      )
    : check("note", "tables", `${state}: the next start migrates`);
}

async function userCheck(db: Db, { name, owns }: DatabaseUser): Promise<Check> {
  const subject = "database user";
  if (owns)
    return check(
      "note",
      subject,
      `${name} owns the tables, so whoever has DATABASE_URL can rewrite the history: to prevent that, see docs/operate.md, "Two users of the database"`,
    );
  const lacking = await tablesWithoutRights(db);
  return lacking.length > 0
    ? check(
        "fails",
        subject,
        `${name} lacks rights in ${lacking.join(", ")}: run gancho migrate --grant-to ${name}, as the user that owns the tables`,
      )
    : check("ok", subject, `${name} may serve, and may not rewrite the history`);
}

function settingsCheck({ at, others }: { at: string; others: string[] }): Check {
  return others.length > 0
    ? check(
        "fails",
        "settings",
        `the last start on this database, at ${at}, had another ${others.join(", ")}: give this installation a database of its own; or if you changed them for all instances, restart those, and this line goes away`,
      )
    : check("ok", "settings", "are those of the last start on this database");
}

const writeFaults = {
  no_answer: "it does not answer them in time; look at its log and its disk",
  disk_full: "its disk is full; free some space",
  read_only: "point DATABASE_URL to the primary server",
};

function clockChecks(aheadMs: number | null): Check[] {
  if (aheadMs === null) return [];
  if (!isOff(aheadMs)) return [check("ok", "clock", "this machine's agrees with the database's")];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return [
    check(
      "fails",
      "clock",
      `this machine's is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's: synchronise both, for example with chrony`,
    ),
  ];
}
