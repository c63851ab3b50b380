import type { Exported } from "@/lib/history/server/export/new-entries";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { CliError } from "./failure";

const end = z.object({ seq: z.number().int().positive(), mac: z.string() });
const stateSchema = z.object({ exported: z.record(z.string(), z.array(end)) });

/** Where the last run with this file ended; nowhere, where there is no file. Throws `CliError`. */
export async function readExported(file: string): Promise<Exported> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return null;
    throw new CliError(`${file} cannot be read (${errorCode(error) ?? String(error)})`);
  });
  if (text === null) return new Map();
  const { data } = stateSchema.safeParse(parsed(text));
  if (!data)
    throw new CliError(
      `${file} is not what export-history writes: name another file, or remove it to export everything`,
    );
  return new Map(Object.entries(data.exported));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** As a whole or not at all. Throws `CliError`. */
export async function writeExported(file: string, exported: Exported): Promise<void> {
  const written = `${file}.new`;
  try {
    const handle = await open(written, "w", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify({ exported: Object.fromEntries(exported) })}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(written, file);
  } catch (error) {
    const why = errorCode(error) ?? String(error);
    throw new CliError(
      `${path.resolve(file)} cannot be written (${why}): the next run exports the same again`,
    );
  }
}
