import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export type Received = { id: string; payload: unknown; text: string };

/** The operators' end: accepts calls whose signature with `secret` the specification's own library verifies. */
export type AlertReceiver = {
  url: string;
  /** Verified calls, answered with `status`, oldest first. */
  received: Received[];
  /** Calls that did not verify. */
  refused: unknown[];
  status: number;
  /** The target of a redirect. */
  location: string | null;
  close: () => Promise<void>;
};

/** `file`: also gets every call, one line each, for a search for what must not be there. */
export async function startAlertReceiver(secret: string, file?: string): Promise<AlertReceiver> {
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
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: AlertReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts?key=in-the-address`,
    received: [],
    refused: [],
    status: 204,
    location: null,
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
