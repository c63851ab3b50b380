import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { expectDocumented, type Answer } from "./documented";

type Call = {
  headers?: Record<string, string | string[]>;
  /** A list is sent in chunks, without a Content-Length. */
  body?: string | Uint8Array | readonly (string | Uint8Array)[];
};

/** One request over a connection of its own, sent as it is written; the answer must be one that the contract's document has. */
export async function call(
  target: { url: string },
  method: string,
  path: string,
  { headers = {}, body }: Call = {},
): Promise<Answer> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(target.url + path, { method, headers, agent: false });
    request.on("error", reject);
    request.on("response", (response) => {
      const { statusCode = 0, headers } = response;
      text(response).then((body) => resolve({ status: statusCode, headers, body }), reject);
    });
    if (typeof body === "string" || body instanceof Uint8Array || body === undefined) {
      request.end(body);
    } else {
      for (const chunk of body) request.write(chunk);
      request.end();
    }
  });
  expectDocumented(method, path, answer);
  return answer;
}

export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
}

export function askForToken(
  target: { url: string },
  authorization: string | undefined,
  body: Call["body"] = '{"grant_type":"client_credentials"}',
  headers: Record<string, string | string[]> = {},
): Promise<Answer> {
  return call(target, "POST", "/api/oauth/token", {
    headers: {
      "Content-Type": "application/json",
      ...(authorization !== undefined && { Authorization: authorization }),
      ...headers,
    },
    body,
  });
}

const tokenBody = z.object({ access_token: z.string() });

/** The token of an answer to askForToken; throws if it has none. */
export function tokenIn(answer: Answer): string {
  return tokenBody.parse(JSON.parse(answer.body)).access_token;
}

/** The Authorization header of a client's later requests. */
export async function bearerOf(
  target: { url: string },
  clientId: string,
  clientSecret: string,
): Promise<string> {
  return `Bearer ${tokenIn(await askForToken(target, basic(clientId, clientSecret)))}`;
}

export function list(target: { url: string }, authorization: string): Promise<Answer> {
  return call(target, "GET", "/api/v1/webhooks", { headers: { Authorization: authorization } });
}

export function register(
  target: { url: string },
  authorization: string,
  body: unknown,
): Promise<Answer> {
  return call(target, "POST", "/api/v1/webhooks", {
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
