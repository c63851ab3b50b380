import { startReader } from "@/lib/watch/server/reader";

/** An instance of Gancho that only reads what is due, until it is killed. */
void startReader();
// The reader's own timers keep no process alive.
setInterval(() => undefined, 60_000);
