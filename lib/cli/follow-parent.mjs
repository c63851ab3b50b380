/**
 * Preloaded into programs that another program starts: when that one is gone, even by `kill -9`, this one ends too,
 * as if it had been asked to. Nothing is left behind that holds a port. The framework's workers inherit the preload,
 * but not the variable: they are left alone.
 */
const parent = process.env.GANCHO_PARENT;
delete process.env.GANCHO_PARENT;

if (parent !== undefined) {
  // It may have gone before this line was reached.
  if (!process.connected) process.exit(1);
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // Listening for that is no reason to go on.
  process.channel?.unref();
}
