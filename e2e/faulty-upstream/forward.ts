import http from "node:http";

/** A request as it arrived, the prefix taken off its path. */
export type Arrived = {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
};

export type SandboxAnswer = { status: number; headers: Record<string, string>; body: Buffer };

/** Headers that are about one connection, not about the message. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "host",
]);

/** Hands a request to the sandbox and takes its whole answer. */
export const forward = (sandbox: string, { method, path, headers, body }: Arrived) =>
  new Promise<SandboxAnswer>((resolve, reject) => {
    const passedOn = Object.entries(headers).filter(([name]) => !hopByHop.has(name));
    const request = http.request(
      new URL(path, sandbox),
      {
        method,
        headers: { ...Object.fromEntries(passedOn), "content-length": body.length },
        agent: false,
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => {
          const answered = Object.entries(response.headers).filter(([name]) => !hopByHop.has(name));
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(answered.map(([name, value]) => [name, String(value)])),
            body: Buffer.concat(pieces),
          });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
