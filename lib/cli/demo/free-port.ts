import { once } from "node:events";
import { createServer } from "node:net";
import { Failure } from "../failure";

/** Throws `Failure` when another program listens on the port; better said before a minute of building than after. */
export async function requireFreePort(variable: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new Failure(
      `port ${port} is taken: stop the program that uses it, or set ${variable} to another`,
    );
  }
  server.close();
  await once(server, "close");
}
