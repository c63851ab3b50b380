import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { Needle } from "./search";

/** Secrets of a run that are neither chosen beforehand nor in an answer, one JSON text a line. */
const line = z.object({ kind: z.string(), text: z.string() });

/** Only the end of a long secret is kept: that is enough to find it. */
const kept = 40;

/** A secret in the form in which the search expects it. */
export const needleOf = (kind: string, secret: string) => ({ kind, text: secret.slice(-kept) });

/** Adds a secret to the search at the end of the run. `folder`: the run's. */
export function learn(kind: string, secret: string, folder = process.env["E2E_FOLDER"]): void {
  if (folder) appendFileSync(file(folder), `${JSON.stringify(needleOf(kind, secret))}\n`);
}

export function learnedNeedles(folder: string): Needle[] {
  if (!existsSync(file(folder))) return [];
  const lines = readFileSync(file(folder), "utf8").trimEnd().split("\n");
  return lines.map((text) => line.parse(JSON.parse(text)));
}

const file = (folder: string) => path.join(folder, learnedFile);

export const learnedFile = "learned.jsonl";
