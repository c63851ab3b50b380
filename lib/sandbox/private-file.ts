import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes sure that a file exists which only its owner can read (0600), in folders of which those created here are
 * the owner's, too (0700), whatever the umask. SQLite gives its `-wal` and `-shm` files the mode of this one.
 * Throws the file system's error.
 */
export function ensurePrivateFile(path: string): void {
  createPrivateFolders(dirname(path));
  const file = openSync(path, "a", 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

function createPrivateFolders(folder: string): void {
  const topmost = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let created = folder; created.length >= topmost.length; created = dirname(created)) {
    chmodSync(created, 0o700);
  }
}
