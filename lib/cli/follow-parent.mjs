/**
 * Preloaded into programs that another program starts: when that one is gone, even by `kill -9`, this one ends too,
 * as if it had been asked to. Nothing is left behind that holds a port. The framework's workers inherit the preload
 * and are left alone: they have a parent of their own.
 */
if (process.env.GANCHO_PARENT === String(process.ppid) && process.channel) {
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // Listening for that is no reason to go on.
  process.channel.unref();
}
