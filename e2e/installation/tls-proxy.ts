import { once } from "node:events";
import { Agent, request as sendRequest } from "node:http";
import { createServer } from "node:https";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import type { Certificate } from "@/lib/tools/certificates";

type Options = {
  certificate: Certificate;
  /** Ports of the instances, on this machine. */
  ports: readonly number[];
  /** The client address that it appends to X-Forwarded-For. */
  clientAddress: string;
};

/** A reverse proxy in front of several instances: it speaks TLS, and each request goes to the next instance. */
export async function startTlsProxy({ certificate, ports, clientAddress }: Options) {
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
  const port = await listenHere(server);
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
