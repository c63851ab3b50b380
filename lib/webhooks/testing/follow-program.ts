import { followSaves } from "@/lib/webhooks/server/save/follow-saves";

/** An instance of Gancho that only follows saves, until it is killed. */
followSaves();
// The follower's own timers keep no process alive.
setInterval(() => undefined, 60_000);
