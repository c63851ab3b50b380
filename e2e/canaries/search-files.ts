import { errorCode } from "@/lib/platform/runtime/network-error";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { searcherFor, type Finding, type Needle } from "./search";

type FileFinding = Finding & { file: string };

/**
 * Searches the bytes of every file below these folders. `skip` gets the path below the folder. Ignores folders that do
 * not exist and files that disappear meanwhile.
 */
export function searchFiles(
  folders: readonly string[],
  needles: readonly Needle[],
  skip: (file: string) => boolean = () => false,
): { findings: FileFinding[]; files: number } {
  const search = searcherFor(needles);
  const findings: FileFinding[] = [];
  let files = 0;
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const file = path.join(folder, entry);
      if (skip(entry) || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
      files += 1;
      for (const finding of search(contentOf(file))) findings.push({ ...finding, file });
    }
  return { findings, files };
}

/** A file that a program has deleted meanwhile counts as empty. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
