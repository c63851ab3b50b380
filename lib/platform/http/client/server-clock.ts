/**
 * The server's time in the browser. Every age on a screen counts from it, so that two of them never contradict each
 * other and a wrong clock on the person's machine does no harm: the time in the newest answer, plus what has passed
 * since on a monotonic clock.
 */
type Reference = {
  /** The time in the answer, milliseconds. */
  serverTime: number;
  /** To be added to `performance.now()`. */
  offset: number;
};

let reference: Reference | null = null;
const listeners = new Set<() => void>();

/**
 * Sets the server's time from an answer, ISO 8601. `fresh`: it came over the network just now. A page may also come
 * from the browser's cache: it moves the clock only where it is newer than the reference.
 */
export function syncServerClock(answeredAt: string, { fresh }: { fresh: boolean }): void {
  const serverTime = new Date(answeredAt).getTime();
  // The server keeps none.
  if (typeof window === "undefined" || Number.isNaN(serverTime)) return;
  if (!fresh && reference && serverTime <= reference.serverTime) return;
  reference = { serverTime, offset: serverTime - performance.now() };
  for (const listener of listeners) listener();
}

/** Milliseconds; null before the first answer. */
export function serverNow(): number | null {
  return reference && reference.offset + performance.now();
}

/** Calls back when the clock was set again. */
export function onServerTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
