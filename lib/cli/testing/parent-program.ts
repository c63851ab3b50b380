import { startChild } from "@/lib/cli/child";

/** Starts the file of its argument and goes on; prints the other one's process id. */
const child = startChild({ args: [process.argv[2] ?? ""] });
child.once("spawn", () => console.log("started", child.pid));
setInterval(() => undefined, 1_000);
