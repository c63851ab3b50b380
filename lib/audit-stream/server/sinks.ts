import "server-only";
import { syncFolder } from "@/lib/platform/runtime/folders";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import type { Sink } from "./stream";

/**
 * Appends to a file that only its owner can read, and waits until it is on the disk. Opens it for each batch, so that a
 * file that was moved away is started again. Rejects with the file system's error.
 */
export function fileSink(file: string): Sink {
  return async (lines) => {
    const isNew = !existsSync(file);
    const handle = await open(file, "a+", 0o600);
    try {
      // A line that a crash cut short stays on its own; the entry comes again, whole.
      const end = (await handle.stat()).size;
      const { buffer } = end === 0 ? { buffer: null } : await lastByte(handle, end);
      const isTorn = buffer !== null && buffer[0] !== 0x0a;
      await handle.appendFile(`${isTorn ? "\n" : ""}${lines.join("\n")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isNew) await syncFolder(path.dirname(file));
  };
}

type Handle = Awaited<ReturnType<typeof open>>;

function lastByte(handle: Handle, end: number) {
  return handle.read(Buffer.alloc(1), 0, 1, end - 1);
}

/** To the reader of this program's output: taken once the other end of the pipe has room for it. */
export function outputSink(output: NodeJS.WritableStream): Sink {
  return (lines) =>
    new Promise((resolve, reject) => {
      output.once("error", reject);
      output.write(`${lines.join("\n")}\n`, () => {
        output.removeListener("error", reject);
        resolve();
      });
    });
}
