import { followSaves } from "@/lib/webhooks/server/save/follow-saves";

/** A copy of Gancho as far as it follows saves, until it is killed. */
followSaves();
// The follower's own waits keep no process alive.
setInterval(() => undefined, 60_000);
