import { sendAlerts } from "@/lib/alerts/server/send";

/** A copy of Gancho as far as it sends alerts, until it is killed. */
sendAlerts();
// The sender's own waits keep no process alive.
setInterval(() => undefined, 60_000);
