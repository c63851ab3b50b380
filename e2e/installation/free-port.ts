import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the range of ephemeral ports, and above the ports that browsers refuse. */
const range = [12_000, 32_000] as const;
const given = new Set<number>();

/**
 * A free port of the loopback interface. Until its program listens, nobody else gets it: no program that lets the
 * system choose a port, and no other caller in this process.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
    if (given.has(port)) continue;
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    given.add(port);
    return port;
  }
}
