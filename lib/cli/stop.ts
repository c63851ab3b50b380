import { withTimeout } from "@/lib/platform/runtime/deadline";
import { beginStopping, untilDone } from "@/lib/platform/runtime/in-flight";
import { once } from "node:events";
import type { Server } from "node:http";
import { setTimeout as after } from "node:timers/promises";

/** Milliseconds for which a stopping process still answers, and reports that it is not ready. */
export const stopGraceMs = 5_000;

/** Milliseconds that stopping may take in all: the slowest save, ten seconds, twice over. */
export const shutdownTimeoutMs = 25_000;

/**
 * Stops serving without turning anybody away. For `graceMs`, in which a load balancer finds out that this process is
 * "not ready", it answers as always, the probes too; then it accepts no new requests and finishes those in progress.
 */
export async function stopServing(servers: readonly Server[], graceMs: number): Promise<void> {
  const deadline = performance.now() + shutdownTimeoutMs;
  const left = () => deadline - performance.now();
  beginStopping();
  await after(graceMs);
  await Promise.all([closeServers(servers, left()), untilDone(left())]);
  // What the last requests began.
  await untilDone(left());
}

/**
 * Calls back once, when a service manager (SIGTERM) or a person (Ctrl+C, `atOnce`) wants this program to end. A service
 * manager may have a load balancer to wait for; a person does not wait.
 */
export function onStop(stop: (how: { atOnce: boolean }) => void): void {
  let stopping = false;
  const begin = (atOnce: boolean) => {
    if (stopping) return;
    stopping = true;
    stop({ atOnce });
  };
  process.on("SIGINT", () => begin(true));
  process.on("SIGTERM", () => begin(false));
  onNpmGone(() => begin(true));
}

/** `npm run` forwards signals, but not its own death: without it, nobody could stop this program. */
function onNpmGone(callback: () => void): void {
  const parent = process.ppid;
  if (process.env["npm_lifecycle_event"] === undefined || process.send) return;
  setInterval(() => process.ppid !== parent && callback(), 1_000).unref();
}

/**
 * Accepts no new requests and lets the running ones end, for at most `timeoutMs`. Then it closes everything, including
 * upgraded connections, which no server tracks any more.
 */
export async function closeServers(servers: readonly Server[], timeoutMs: number): Promise<void> {
  const closed = servers.map((server) => once(server, "close"));
  for (const server of servers) server.close();
  // A connection that was busy when the server closed would stay open for its keep-alive time.
  const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 100);
  await withTimeout(timeoutMs, Promise.all(closed));
  for (const server of servers) server.closeAllConnections();
  clearInterval(sweep);
}
