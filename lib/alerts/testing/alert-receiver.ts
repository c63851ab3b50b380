import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { Webhook } from "standardwebhooks";

export type Received = { id: string; payload: unknown; text: string };

export type AlertReceiver = Awaited<ReturnType<typeof startAlertReceiver>>;

/**
 * The operators' end: accepts calls whose signature with `secret` the specification's own library verifies. `file`: also
 * gets every call, one line each, for a search for what must not be there.
 */
export async function startAlertReceiver(secret: string, file?: string) {
  const verifier = new Webhook(secret);
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      try {
        const payload = verifier.verify(text, request.headers as Record<string, string>);
        receiver.received.push({ id: String(request.headers["webhook-id"]), payload, text });
      } catch (error) {
        receiver.refused.push(error);
      }
      if (file) appendFileSync(file, `${JSON.stringify(request.headers)} ${text}\n`);
      if (receiver.location) response.setHeader("location", receiver.location);
      response.writeHead(receiver.status).end("a receiver's answer, which is not kept");
    });
  });
  const receiver = {
    url: `http://127.0.0.1:${await listenHere(server)}/alerts?key=in-the-address`,
    /** Verified calls, answered with `status`, oldest first. */
    received: [] as Received[],
    /** Calls that did not verify. */
    refused: [] as unknown[],
    status: 204,
    /** The target of a redirect. */
    location: null as string | null,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
