import { anchorFile, readAnchors, type ChainEnd } from "@/lib/history/server/verify/anchor-file";
import { existsSync } from "node:fs";
import { Failure } from "./failure";

export type KnownEnds = Map<string, ChainEnd[]>;

/**
 * The ends of the files, by partner; null where there is no file. Throws `Failure` for a named one that cannot be read.
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
      throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : ""}`);
    });
    if (damaged > 0) console.warn(`${file} has ${damaged} lines that are damaged, and not used.`);
    for (const [partner, more] of anchors)
      ends.set(partner, [...(ends.get(partner) ?? []), ...more]);
  }
  return ends;
}
