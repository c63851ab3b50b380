import { once } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "./plan";

/** Writes bytes as the action wants them: dripping, cut; stops where the other side is gone or `signal` says so. */
export async function writeAnswer(
  socket: Duplex,
  bytes: Iterable<Buffer>,
  { drip, cutAfter = Infinity }: Action,
  signal: AbortSignal,
): Promise<void> {
  let left = cutAfter;
  for (const piece of bytes) {
    const wanted = piece.subarray(0, Math.min(left, piece.length));
    left -= wanted.length;
    const size = drip?.bytes ?? Math.max(1, wanted.length);
    for (let at = 0; at < wanted.length; at += size) {
      if (signal.aborted || !socket.writable) return;
      await write(socket, wanted.subarray(at, at + size), signal);
      if (drip) await pause(drip.everyMs, null, { signal }).catch(() => null);
    }
    if (left <= 0) return;
  }
}

async function write(socket: Duplex, bytes: Buffer, signal: AbortSignal): Promise<void> {
  if (socket.write(bytes)) return;
  const gone = new AbortController();
  const stop = () => {
    gone.abort();
  };
  socket.once("close", stop);
  signal.addEventListener("abort", stop, { once: true });
  await once(socket, "drain", { signal: gone.signal }).catch(() => null);
  socket.removeListener("close", stop);
  signal.removeEventListener("abort", stop);
}
