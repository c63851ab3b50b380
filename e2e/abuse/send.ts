import { request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export type Sent = {
  method?: string;
  path: string;
  headers?: Record<string, string | undefined>;
  body?: string;
};

export type Answer = {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
  /** The problem's code; undefined for any other answer. */
  code: string | undefined;
};

/**
 * One request over a separate connection, with exactly these headers, including those that a browser or `fetch` would
 * set or refuse. Leaves out undefined headers.
 */
export async function send(
  { method = "GET", path, headers = {}, body }: Sent,
  base = process.env["E2E_URL"] ?? "",
): Promise<Answer> {
  const { hostname, port } = new URL(base);
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  const call = request({ hostname, port, method, path, headers: Object.fromEntries(given) });
  // A server that refuses a body need not read it to its end.
  call.on("error", () => undefined);
  if (body !== undefined) call.setHeader("content-length", Buffer.byteLength(body));
  call.end(body);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const answer = { status: response.statusCode ?? 0, headers: response.headers };
  const said = await text(response);
  return { ...answer, body: said, code: codeOf(response, said) };
}

function codeOf(response: IncomingMessage, body: string): string | undefined {
  if (!response.headers["content-type"]?.startsWith("application/problem+json")) return undefined;
  const problem: unknown = JSON.parse(body);
  return typeof problem === "object" && problem !== null && "code" in problem
    ? String(problem.code)
    : undefined;
}
