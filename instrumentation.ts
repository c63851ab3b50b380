/** Called by the framework once, when a server starts and before it answers anything. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { watchClock } = await import("@/lib/platform/database/clock");
  await watchClock();
  const { compareWithAnchor } = await import("@/lib/history/server/verify/behind-anchor");
  await compareWithAnchor();
  const { startReader } = await import("@/lib/watch/server/reader");
  void startReader();
  const { registerFigures } = await import("@/lib/installation/server/figures");
  const { registerWatchFigures } = await import("@/lib/watch/server/figures");
  registerFigures();
  registerWatchFigures();
}
