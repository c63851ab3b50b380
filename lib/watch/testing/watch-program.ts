import { watchAll } from "@/lib/watch/server/run";

/** A worker as a process of its own, until it is killed. */
void watchAll();
// Its own waits keep no process alive.
setInterval(() => undefined, 60_000);
