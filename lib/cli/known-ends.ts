import { anchorFile, readAnchors, type ChainEnd } from "@/lib/history/server/verify/anchor-file";
import { readLog } from "@/lib/history/server/verify/read-log";
import type { Db } from "@/lib/platform/database/open";
import { people } from "@/lib/platform/secrets/model/people";
import { existsSync } from "node:fs";
import { CliError } from "./failure";

export type KnownEnds = Map<string, ChainEnd[]>;

/**
 * The chain ends that these files name, by chain, or this host's anchor file; null where that is not there. Throws `CliError` for a named file
 * that cannot be read.
 */
export async function knownEnds(named: readonly string[] | null): Promise<KnownEnds | null> {
  const ends: KnownEnds = new Map();
  for (const file of named ?? [anchorFile()]) {
    if (!named && !existsSync(file)) {
      console.warn(`There is no ${file}.`);
      return null;
    }
    const { anchors, damaged } = await readAnchors(file).catch((error: unknown) => {
      throw new CliError(`${file} cannot be read: ${error instanceof Error ? error.message : ""}`);
    });
    if (damaged > 0) console.warn(`${file} has ${damaged} lines that are damaged, and not used.`);
    for (const [partner, more] of anchors)
      ends.set(partner, [...(ends.get(partner) ?? []), ...more]);
  }
  return ends;
}

/**
 * The ends that these files of a collector name, and those of anchor files. Says which restores the log has, for
 * `leaveOutLost`, too. Throws `CliError` for a file that cannot be read, or has no entry.
 */
export async function endsInLogs(
  files: readonly string[],
  others: KnownEnds | null,
): Promise<{ ends: KnownEnds; notSinceRestore: ReadonlyMap<string, number> }> {
  const ends: KnownEnds = new Map(others ?? []);
  const {
    ends: logged,
    restores,
    notSinceRestore,
    entries,
  } = await readLog(files).catch((error: unknown) => {
    throw new CliError(
      `${files.join(", ")} cannot be read: ${error instanceof Error ? error.message : ""}`,
    );
  });
  if (entries === 0) throw new CliError(`${files.join(", ")} names no entry of a history`);
  for (const [chain, more] of logged) ends.set(chain, [...(ends.get(chain) ?? []), ...more]);
  for (const { chain, seq, lost } of restores)
    console.log(
      `${chain}: entry ${seq} says that a backup was restored; the log has ${lost} entries that were lost by it.`,
    );
  return { ends, notSinceRestore };
}

/** Histories that a restore took whole are no longer expected in the database; says which. */
export async function leaveOutLost(
  db: Db,
  ends: KnownEnds,
  notSinceRestore: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [chain, entries] of notSinceRestore) {
    const entry = db.selectFrom("history").select("id").where("partner_id", "=", chain).limit(1);
    const head = db.selectFrom("history_heads").select("seq").where("partner_id", "=", chain);
    if ((await entry.executeTakeFirst()) || (await head.executeTakeFirst())) continue;
    ends.delete(chain);
    console.log(
      `${chain}: began after the backup that was restored; the log has ${entries} entries that were lost by it.`,
    );
  }
}

/** A mistyped name must not pass for a history without faults, or without old entries. Throws `CliError`. */
export async function requireKnown(db: Db, chain: string, ends: KnownEnds): Promise<void> {
  if (chain === people || ends.has(chain)) return;
  const partner = db.selectFrom("partners").select("id").where("id", "=", chain);
  const entry = db.selectFrom("history").select("id").where("partner_id", "=", chain).limit(1);
  if (!(await partner.executeTakeFirst()) && !(await entry.executeTakeFirst()))
    throw new CliError(`there is no partner ${chain}`);
}
