import { ensurePrivateDir } from "@/lib/platform/runtime/folders";
import { closeSync, existsSync, fchmodSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes sure that a file exists and can be written. What has to be created for that is its owner's alone, whatever
 * the umask: the file 0600, folders 0700. SQLite gives its `-wal` and `-shm` files the mode of the database.
 * Throws the file system's error.
 */
export function ensurePrivateFile(path: string): void {
  ensurePrivateDir(dirname(path));
  if (existsSync(path)) {
    closeSync(openSync(path, "r+"));
    return;
  }
  const file = openSync(path, "a", 0o600);
  fchmodSync(file, 0o600);
  closeSync(file);
}
