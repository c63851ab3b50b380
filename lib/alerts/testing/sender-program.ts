import { sendAlerts } from "@/lib/alerts/server/send";

/** An instance of Gancho that only sends alerts, until it is killed. */
sendAlerts();
// The sender's own timers keep no process alive.
setInterval(() => undefined, 60_000);
