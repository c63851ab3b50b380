import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Has it listen on this machine, at the port that is returned; it does not keep the run of the tests from ending. */
export async function listenHere(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  return (server.address() as AddressInfo).port;
}
