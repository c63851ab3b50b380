import { watchAll } from "@/lib/watch/server/run";

/** A worker in a separate process, until it is killed. */
void watchAll();
// Its own timers keep no process alive.
setInterval(() => undefined, 60_000);
