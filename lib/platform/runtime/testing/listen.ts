import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Has it listen on this machine, at this port or any free one, which is returned; it does not keep the run of the tests from ending. */
export async function listenHere(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, "127.0.0.1").unref(), "listening");
  return (server.address() as AddressInfo).port;
}
