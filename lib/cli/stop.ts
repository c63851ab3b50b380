import { withTimeout } from "@/lib/platform/runtime/deadline";
import { beginStopping, untilDone } from "@/lib/platform/runtime/in-flight";
import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as immediate, setTimeout as after } from "node:timers/promises";

/** Milliseconds for which a stopping process still answers, and reports that it is not ready. */
export const stopGraceMs = 5_000;

/**
 * Milliseconds for which a connection may stay idle once the port is closed. A proxy that keeps connections closes its
 * end before (4 s, deploy/nginx.conf): one that this end closed could have a change on its way.
 */
const idleMs = 5_000;

/** Milliseconds that stopping may take in all: the slowest save, ten seconds, twice over. */
export const shutdownTimeoutMs = 25_000;

/**
 * Stops serving without turning anybody away. For `graceMs`, in which a load balancer finds out that this process is
 * "not ready", it answers as always, the probes too; then it accepts no new connections and finishes what is in progress
 * on those it has. Without `graceMs` nobody is waited for.
 */
export async function stopServing(servers: readonly Server[], graceMs: number): Promise<void> {
  const deadline = performance.now() + shutdownTimeoutMs;
  const left = () => deadline - performance.now();
  beginStopping();
  await after(graceMs);
  const closed = closeServers(servers, left(), Math.min(graceMs, idleMs));
  await Promise.all([closed, untilDone(left())]);
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
 * Accepts no new connections, lets those that are idle stay so for `idleForMs`, and the running requests end, for at
 * most `timeoutMs` in all. Then it closes everything, including upgraded connections, which no server tracks any more.
 */
export async function closeServers(
  servers: readonly Server[],
  timeoutMs: number,
  idleForMs = 0,
): Promise<void> {
  const closed = servers.map((server) => once(server, "close"));
  await Promise.all(servers.map((server) => stopListening(server, Math.min(timeoutMs, acceptMs))));
  const idleUntil = performance.now() + idleForMs;
  // A connection that was busy when the server closed would stay open for its keep-alive time.
  const sweep = setInterval(() => {
    if (performance.now() >= idleUntil) servers.forEach((server) => server.closeIdleConnections());
  }, 100);
  await withTimeout(timeoutMs, Promise.all(closed));
  for (const server of servers) server.closeAllConnections();
  clearInterval(sweep);
}

/** Milliseconds for which to wait for a moment in which nobody connects, and that may pass until it is noticed. */
const acceptMs = 1_000;
const noticeMs = 1;

/**
 * The system resets connections that nobody has accepted when the port closes, and a proxy must not send a change a
 * second time. Each turn of the event loop accepts those that wait: the port closes after a short turn that found none.
 */
async function stopListening(server: Server, timeoutMs: number): Promise<void> {
  let accepted = 0;
  const count = () => (accepted += 1);
  server.on("connection", count);
  const giveUpAt = performance.now() + timeoutMs;
  // From here on to the same point of the next turn.
  await immediate();
  for (let isQuiet = false; !isQuiet && performance.now() < giveUpAt;) {
    const [before, began] = [accepted, performance.now()];
    await immediate();
    isQuiet = accepted === before && performance.now() - began < noticeMs;
  }
  server.off("connection", count);
  // That of the port alone: a web server's own would also close the connections that are idle at this moment.
  NetServer.prototype.close.call(server);
}
