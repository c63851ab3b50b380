import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { open } from "node:fs/promises";

/**
 * Creates a folder and its missing parents, for their owner only, whatever the umask. Leaves an existing one as it is.
 * Throws the file system's error.
 */
export function ensurePrivateDir(folder: string): void {
  if (existsSync(folder)) return;
  // One by one: mkdir's own recursion never ends where a file system answers ENOENT to everything, as /proc does.
  ensurePrivateDir(path.dirname(path.resolve(folder)));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another program that starts at the same time may have been faster.
    if (existsSync(folder)) return;
    throw error;
  }
  chmodSync(folder, 0o700);
}

/**
 * Creates an empty file and its missing folders, for their owner only, whatever the umask. Leaves an existing one as it
 * is: a setting may name any file by mistake. Throws the file system's error, also where an existing one cannot be
 * written.
 */
export function ensurePrivateFile(file: string): void {
  const isNew = !existsSync(file);
  if (isNew) ensurePrivateDir(path.dirname(file));
  // The file system explains better than SQLite why a file cannot be used. An existing one is not opened: closing it would
  // take away the locks that SQLite has on it in this process, and another process could remove the log of its commits.
  if (!isNew && statSync(file).isFile()) return accessSync(file, constants.R_OK | constants.W_OK);
  closeSync(openSync(file, "a", 0o600));
  if (isNew) chmodSync(file, 0o600);
}

/** Syncs a folder: a new file survives a power cut only once its folder is on the disk, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
