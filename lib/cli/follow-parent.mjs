/**
 * Preloaded into programs that another program starts: when that one is gone, even by `kill -9`, this one ends too,
 * as if it had been asked to. Nothing is left behind that holds a port.
 */
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
