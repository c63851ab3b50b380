import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { Needle } from "./search";

/** Secrets of a run that no answer of it gave out, one JSON text a line; what they are cannot be chosen beforehand. */
const line = z.object({ kind: z.string(), text: z.string() });

/** Of a long one its end is enough; sessions all begin alike. */
const kept = 40;

/** A secret as it is looked for. */
export function needleOf(kind: string, secret: string): Needle {
  return { kind, text: secret.slice(-kept) };
}

/** Has the end of the run look for this secret too. `folder`: the run's own. */
export function learn(kind: string, secret: string, folder = process.env["E2E_FOLDER"]): void {
  if (folder) appendFileSync(file(folder), `${JSON.stringify(needleOf(kind, secret))}\n`);
}

export function learnedNeedles(folder: string): Needle[] {
  if (!existsSync(file(folder))) return [];
  const lines = readFileSync(file(folder), "utf8").trimEnd().split("\n");
  return lines.map((text) => line.parse(JSON.parse(text)));
}

function file(folder: string): string {
  return path.join(folder, learnedFile);
}

export const learnedFile = "learned.jsonl";
