import { startReader } from "@/lib/watch/server/reader";

/** An instance of Gancho that runs only the reader, until it is killed. */
void startReader();
// The reader's own timers keep no process alive.
setInterval(() => undefined, 60_000);
