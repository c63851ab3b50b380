import { anchorFile, readAnchors, type ChainEnd } from "@/lib/history/server/verify/anchor-file";
import type { Db } from "@/lib/platform/database/open";
import { people } from "@/lib/platform/secrets/model/people";
import { existsSync } from "node:fs";
import { CliError } from "./failure";

export type KnownEnds = Map<string, ChainEnd[]>;

/**
 * The chain ends that the anchor files name, by chain; null where there is no file. Throws `CliError` for a named file
 * that cannot be read.
 */
export async function knownEnds(named: string | boolean | undefined): Promise<KnownEnds | null> {
  const ends: KnownEnds = new Map();
  const files = typeof named === "string" ? named.split(",") : [anchorFile()];
  for (const file of files) {
    if (typeof named !== "string" && !existsSync(file)) {
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

/** A mistyped name must not pass for a history without faults, or without old entries. Throws `CliError`. */
export async function requireKnown(db: Db, chain: string, ends: KnownEnds): Promise<void> {
  if (chain === people || ends.has(chain)) return;
  const partner = db.selectFrom("partners").select("id").where("id", "=", chain);
  const entry = db.selectFrom("history").select("id").where("partner_id", "=", chain).limit(1);
  if (!(await partner.executeTakeFirst()) && !(await entry.executeTakeFirst()))
    throw new CliError(`there is no partner ${chain}`);
}
