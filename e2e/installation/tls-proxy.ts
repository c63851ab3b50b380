import { once } from "node:events";
import { Agent, request as sendRequest } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificate } from "@/lib/tools/certificates";

/** A reverse proxy in front of several instances: it speaks TLS, and each request goes to the next instance. */
type TlsProxy = { url: string; stop: () => Promise<void> };

type Options = {
  certificate: Certificate;
  /** Ports of the instances, on this machine. */
  ports: readonly number[];
  /** The client address that it appends to X-Forwarded-For. */
  clientAddress: string;
};

export async function startTlsProxy(options: Options): Promise<TlsProxy> {
  const { certificate, ports, clientAddress } = options;
  const agent = new Agent({ keepAlive: true });
  let requests = 0;
  const server = createServer(certificate, (request, response) => {
    const said = request.headers["x-forwarded-for"];
    const onward = sendRequest(
      {
        agent,
        host: "127.0.0.1",
        port: ports[requests++ % ports.length],
        method: request.method,
        path: request.url,
        headers: {
          ...request.headers,
          "x-forwarded-for": said ? `${String(said)}, ${clientAddress}` : clientAddress,
          "x-forwarded-proto": "https",
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}
