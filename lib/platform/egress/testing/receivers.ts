import { hostList } from "@/lib/platform/egress/address";
import type { EgressRules } from "@/lib/platform/egress/egress";
import { createTestAuthority, type Certificate } from "@/lib/tools/certificates";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import http from "node:http";
import net, { type Socket } from "node:net";
import tls from "node:tls";

/** What a receiver got of one request. */
type Got = { method: string; path: string; headers: http.IncomingHttpHeaders; body: string };

export type Receiver = { port: number; got: Got[]; connections: () => number };

type Options = {
  certificate?: Certificate;
  tls?: tls.TlsOptions;
  /** Answers with these bytes; left out: as HTTP does. */
  raw?: (socket: tls.TLSSocket) => void;
};

/** Real receivers over TLS on loopback, with a certificate authority for the test. */
export function startReceivers() {
  const authority = createTestAuthority();
  const good = authority.issue({ names: ["hooks.example.com", "*.example.com"], toDay: 71 });
  const servers: net.Server[] = [];
  const sockets = new Set<Socket>();

  async function listen(server: net.Server): Promise<{ port: number; connections: () => number }> {
    let connections = 0;
    server.on("connection", (socket: Socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => sockets.delete(socket));
    });
    servers.push(server);
    return { port: await listenHere(server), connections: () => connections };
  }

  async function receiver(
    answer: (got: Got, response: http.ServerResponse) => void,
    { certificate = good, tls: options = {}, raw }: Options = {},
  ): Promise<Receiver> {
    const got: Got[] = [];
    const app = http.createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request;
        const one = { method, path, headers, body: Buffer.concat(pieces).toString() };
        got.push(one);
        answer(one, response);
      });
    });
    app.on("clientError", () => undefined);
    const server = tls.createServer({ ...certificate, ...options }, (socket) => {
      socket.on("error", () => undefined);
      if (raw) raw(socket);
      else app.emit("connection", socket);
    });
    server.on("tlsClientError", () => undefined);
    return { ...(await listen(server)), got };
  }

  return {
    authority,
    ca: authority.ca,
    receiver,
    /** Answers by the header alone: what a good receiver does. */
    enforcing: (value: string, options?: Options) =>
      receiver(({ headers }, response) => {
        response.writeHead(headers.authorization === value ? 204 : 401).end();
      }, options),
    /** A server that is not even TLS. */
    plain: async (onConnection: (socket: Socket) => void): Promise<Receiver> => ({
      ...(await listen(net.createServer(onConnection))),
      got: [],
    }),
    /** Asks for a value by the first status, and answers one with the second. */
    answering: (status: number, withValue = status, answer: http.OutgoingHttpHeaders = {}) =>
      receiver(({ headers }, response) =>
        response.writeHead(headers.authorization ? withValue : status, answer).end(),
      ),
    /** As if every name led to the public internet, which here is loopback. */
    rules: (overrides: Partial<EgressRules> = {}): EgressRules => ({
      deny: hostList([]),
      proxy: null,
      loopbackPort: null,
      ca: authority.ca,
      resolve: async () => ["203.0.114.7"],
      dial: ({ port }) => net.connect({ host: "127.0.0.1", port }),
      limits: { connectMs: 1_500, exchangeMs: 1_500 },
      ...overrides,
    }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

/** The Authorization value of each request. */
export const valuesOf = ({ got }: Receiver) => got.map(({ headers }) => headers.authorization);

/** So old that OpenSSL offers it only at security level 0. */
export const tls10Only: tls.TlsOptions = {
  minVersion: "TLSv1",
  maxVersion: "TLSv1",
  ciphers: `${tls.DEFAULT_CIPHERS}:@SECLEVEL=0`,
};
