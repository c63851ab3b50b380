import "server-only";
import { open } from "node:fs/promises";

/** A new file is only there after a power cut when its folder is on the disk, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
