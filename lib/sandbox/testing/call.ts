import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import contract from "@/lib/platform/payment-service/contract/openapi.json";

type Call = {
  headers?: Record<string, string | string[]>;
  /** A list is sent in chunks, without a Content-Length. */
  body?: string | Uint8Array | readonly (string | Uint8Array)[];
};

/** One request over a separate connection, sent as it is written; the contract's document must describe the answer. */
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

export const basic = (clientId: string, clientSecret: string) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

export const requestToken = (
  target: { url: string },
  authorization: string | string[] | undefined,
  body: Call["body"] = '{"grant_type":"client_credentials"}',
  headers: Record<string, string | string[]> = {},
): Promise<Answer> =>
  call(target, "POST", "/api/oauth/token", {
    headers: {
      "Content-Type": "application/json",
      ...(authorization !== undefined && { Authorization: authorization }),
      ...headers,
    },
    body,
  });

const tokenBody = z.object({ access_token: z.string() });

/** The token of an answer to requestToken; throws if it has none. */
export const tokenIn = (answer: Answer) => tokenBody.parse(JSON.parse(answer.body)).access_token;

/** The Authorization header of a client's later requests. */
export const bearerOf = async (target: { url: string }, clientId: string, clientSecret: string) =>
  `Bearer ${tokenIn(await requestToken(target, basic(clientId, clientSecret)))}`;

export const list = (target: { url: string }, authorization: string): Promise<Answer> =>
  call(target, "GET", "/api/v1/webhooks", { headers: { Authorization: authorization } });

export const register = (target: { url: string }, authorization: string, body: unknown) =>
  call(target, "POST", "/api/v1/webhooks", {
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

/** An answer of the program, unparsed. */
type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

const ajv = new Ajv2020({ strict: true });
ajv.addVocabulary(Object.keys(contract));
ajv.addSchema(contract, "contract");

type Described = { $ref: string } | { headers?: object };
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Described> }> | undefined>;
  components: { responses: Record<string, Described> };
};
const { paths, components } = contract as Document;

/** Fails if a path of the contract gave an answer (status, headers, body) that its document does not describe. */
function expectDocumented(method: string, path: string, answer: Answer): void {
  const operations = paths[path];
  if (!operations) return;
  // An operation that does not exist has no responses; those of the path's other operations include 405.
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  const key = operations[name] ? name : (Object.keys(operations)[0] ?? "");
  const found = operations[key]?.responses[answer.status];
  expect(found, `${method} ${path} may answer ${answer.status}`).toBeDefined();
  if (!found) return;

  const pointer =
    "$ref" in found
      ? found.$ref
      : `#/paths/${path.replaceAll("/", "~1")}/${key}/responses/${answer.status}`;
  const described = "$ref" in found ? components.responses[pointer.split("/").at(-1) ?? ""] : found;
  const headers = described && "headers" in described ? described.headers : {};
  for (const header of Object.keys(headers ?? {}))
    expect(answer.headers, `${answer.status} has ${header}`).toHaveProperty(header.toLowerCase());
  expect(answer.headers["content-type"]).toBe("application/json");
  if (method === "HEAD") {
    expect(answer.body).toBe("");
    return;
  }
  const validate = ajv.compile({ $ref: `contract${pointer}/content/application~1json/schema` });
  expect(validate(JSON.parse(answer.body)), ajv.errorsText(validate.errors)).toBe(true);
}
