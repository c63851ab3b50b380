import { errorCode } from "@/lib/platform/runtime/error-code";
import { once } from "node:events";
import { Agent, createServer, request as sendRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * A reverse proxy in front of several instances, as docs/operate.md requires it: it reads the readiness of each every half
 * second, distributes requests to those that are ready, and tries another where nobody listens any more.
 */
export type ReadyProxy = {
  url: string;
  /** Resolves when so many instances are ready. */
  untilReady: (count: number) => Promise<void>;
  /** How many requests found no listener and went to another instance. */
  retried: () => number;
  stop: () => Promise<void>;
};

const everyMs = 500;

export async function startReadyProxy(ports: readonly number[]): Promise<ReadyProxy> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>();
  let requests = 0;
  let retried = 0;
  let news: () => void = () => undefined;
  let changed = new Promise<void>((resolve) => (news = resolve));

  async function probe(port: number) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.status === 200) ready.add(port);
    else ready.delete(port);
    news();
    changed = new Promise<void>((resolve) => (news = resolve));
  }
  const probing = setInterval(() => ports.forEach((port) => void probe(port)), everyMs);

  function onward(port: number, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { method, url: path, headers } = request;
    return new Promise((resolve, reject) => {
      sendRequest({ agent, host: "127.0.0.1", port, method, path, headers }, resolve)
        .on("error", reject)
        .end(body);
    });
  }

  const server = createServer((request, response) => {
    const handle = async () => {
      const body = await buffer(request);
      const now = [...ready];
      for (let attempt = 0; attempt < now.length; attempt++) {
        const port = now[requests++ % now.length] ?? 0;
        try {
          const answer = await onward(port, request, body);
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          answer.pipe(response);
          return;
        } catch (error) {
          // Anything else may have been carried out.
          if (errorCode(error) !== "ECONNREFUSED") throw error;
          retried++;
        }
      }
      throw new Error("no instance is ready");
    };
    handle().catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    untilReady: async (count) => {
      while (ready.size < count) await changed;
    },
    retried: () => retried,
    stop: async () => {
      clearInterval(probing);
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}
