import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give to whoever asks for any port, and above those that browsers refuse. */
const range = [12_000, 32_000] as const;
const given = new Set<number>();

/**
 * A port of the loopback that nothing listens on now. Until the program that it is for listens there, nobody else gets
 * it: no program that lets the system choose, and nobody who asks this process again.
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
