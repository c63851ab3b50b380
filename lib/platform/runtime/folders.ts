import { chmodSync, existsSync, mkdirSync } from "node:fs";
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

/** Syncs a folder: a new file survives a power cut only once its folder is on the disk, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
