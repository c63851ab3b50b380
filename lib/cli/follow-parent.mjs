/**
 * Preloaded into programs that another program starts: when the parent is gone, even by `kill -9`, this one ends too,
 * as after SIGTERM. So nothing stays behind that holds a port. The framework's workers inherit the preload, but not the
 * variable: it ignores them.
 */
const parent = process.env.GANCHO_PARENT;
delete process.env.GANCHO_PARENT;

if (parent !== undefined) {
  // It may have gone before this line was reached.
  if (!process.connected) process.exit(1);
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // This listener must not keep the program alive.
  process.channel?.unref();
}
