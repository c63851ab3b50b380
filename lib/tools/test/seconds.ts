import { root } from "@/lib/cli/root";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

type Command = "npm test" | "npm run test:all";
type Seconds = Partial<Record<Command, number>>;

const file = path.join(root, "node_modules/.cache/gancho/test-seconds.json");

/** How long the last run that passed took here; undefined where there was none. */
export function secondsOfLastRun(command: Command): number | undefined {
  return read()[command];
}

export function keepSeconds(command: Command, seconds: number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...read(), [command]: seconds }));
}

function read(): Seconds {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Seconds) : {};
}
