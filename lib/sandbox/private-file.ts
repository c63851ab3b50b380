import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes sure that a file exists and can be written. What has to be created for that is its owner's alone, whatever
 * the umask: the file 0600, folders 0700. SQLite gives its `-wal` and `-shm` files the mode of the database.
 * Throws the file system's error.
 */
export function ensurePrivateFile(path: string): void {
  createFolders(dirname(path));
  if (existsSync(path)) {
    closeSync(openSync(path, "r+"));
    return;
  }
  const file = openSync(path, "a", 0o600);
  fchmodSync(file, 0o600);
  closeSync(file);
}

/** One by one, because mkdir's own recursion never ends where a file system refuses with ENOENT, as /proc does. */
function createFolders(folder: string): void {
  if (existsSync(folder)) return;
  createFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another program that starts at the same time may have been faster; then it is that one's folder.
    if (existsSync(folder)) return;
    throw error;
  }
  chmodSync(folder, 0o700);
}
