import { chmodSync, openSync } from "node:fs";
import path from "node:path";

export type LogFile = { path: string; handle: number };

/** Where a program of the demo writes; emptied at each start, readable by its owner only. */
export function openLogFile(dataDir: string, name: string): LogFile {
  const file = path.join(dataDir, `${name}.log`);
  const handle = openSync(file, "w", 0o600);
  chmodSync(file, 0o600);
  return { path: file, handle };
}
