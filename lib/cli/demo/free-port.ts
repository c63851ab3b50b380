import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { Failure } from "@/lib/cli/failure";

/** How long the programs of a demo that was just killed may take to notice it, in milliseconds. */
const shutdownTimeoutMs = 3_000;

/** Throws `Failure` when another program listens on the port; better said before a minute of building than after. */
export async function requireFreePort(variable: string, port: number): Promise<void> {
  const giveUpAt = performance.now() + shutdownTimeoutMs;
  while (!(await isFree(port))) {
    if (performance.now() > giveUpAt)
      throw new Failure(
        `port ${port} is taken: stop the program that uses it, or set ${variable} to another`,
      );
    await after(100);
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}
