/** Called by the framework once, when a server starts and before it answers anything. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { watchClock } = await import("@/lib/platform/database/clock");
  await watchClock();
  const { followSaves } = await import("@/lib/webhooks/server/save/follow-saves");
  const { watchAll } = await import("@/lib/watch/server/run");
  followSaves();
  void watchAll();
  const { registerFigures } = await import("@/lib/installation/server/figures");
  const { registerWatchFigures } = await import("@/lib/watch/server/figures");
  registerFigures();
  registerWatchFigures();
  const { sendAlerts } = await import("@/lib/alerts/server/send");
  sendAlerts();
  const { startHousekeeping } = await import("@/lib/retention/server/housekeeping");
  startHousekeeping();
}
