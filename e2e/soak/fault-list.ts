import type { Action, Plan } from "@/e2e/faulty-upstream/plan";

export type NamedFault = {
  name: string;
  action: Action;
  /** Before a request is read at all. */
  connections?: NonNullable<Plan["connections"]>;
};

const json = (body: unknown) => JSON.stringify(body);
const status = (code: number, body: unknown = { error: "made up" }): Action => ({
  answer: { status: code, body: json(body) },
});
const answer = (own: NonNullable<Action["answer"]>): Action => ({ answer: own });
const html = { "content-type": "text/html" };
const script = "<!doctype html><script>alert(1)</script>";
const raw = (head: string, body = ""): Action => ({ raw: `${head}\r\n\r\n${body}` });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const actions: Record<string, Action> = {
  // What the service says.
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((code) => [
      `redirect ${code}`,
      answer({ status: code, headers: { location: "http://127.0.0.1:9/elsewhere" } }),
    ]),
  ),
  ...Object.fromEntries(
    [400, 401, 402, 403, 405, 409, 410, 413, 415, 418, 422, 451].map((code) => [
      `${code}`,
      status(code),
    ]),
  ),
  "404 of another kind": status(404, { message: "no such route" }),
  "404 as HTML": answer({ status: 404, body: script, headers: html }),
  "429 without a time": status(429),
  "429, in a second": answer({ status: 429, headers: { "retry-after": "1" } }),
  "429, tomorrow": answer({ status: 429, headers: { "retry-after": "86400" } }),
  "429, nonsense": answer({ status: 429, headers: { "retry-after": "soon" } }),
  ...Object.fromEntries(
    [500, 501, 502, 503, 504, 520, 599].map((code) => [`${code}`, status(code)]),
  ),
  "503, in a second": answer({ status: 503, headers: { "retry-after": "1" } }),
  "500 as HTML": answer({ status: 500, body: script, headers: html }),
  "status 204": answer({ status: 204, headers: { "content-length": "" } }),
  "status 206": status(206),
  "status 999": status(999),
  // Bodies.
  "200 as HTML": answer({ body: script, headers: html }),
  "JSON as text": answer({ body: "{}", headers: { "content-type": "text/plain" } }),
  "no content type": answer({ body: "{}", headers: { "content-type": "" } }),
  "an empty body": answer({ body: "" }),
  null: answer({ body: "null" }),
  "a list": answer({ body: "[]" }),
  "a number": answer({ body: "7" }),
  "an empty object": answer({ body: "{}" }),
  "members of a wrong kind": answer({
    body: json({ access_token: 7, token_type: "mac", webhooks: "none", message: [] }),
  }),
  "truncated JSON": answer({ body: '{"webhooks":[{"type":"pix_in","callb' }),
  "two JSON texts": answer({ body: "{}{}" }),
  "a byte order mark": answer({ body: "\uFEFF{}" }),
  "invalid UTF-8": answer({
    body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString("base64"),
    base64: true,
  }),
  "deep nesting": answer({ body: nested(50_000) }),
  "a million items": answer({ body: `{"webhooks":[${"{},".repeat(1_000)}`, repeat: 300 }),
  "a huge body": answer({ body: " ".repeat(65_536), repeat: 64 }),
  "a gzip bomb": answer({ body: " ".repeat(1_048_576), repeat: 32, gzip: true }),
  "not the gzip it says": answer({ body: "{}", headers: { "content-encoding": "gzip" } }),
  "an unknown encoding": answer({ body: "{}", headers: { "content-encoding": "zstd" } }),
  // Lengths and lines.
  "a length too great": answer({ body: "{}", headers: { "content-length": "50" } }),
  "a length too small": answer({ body: '{"webhooks":[]}', headers: { "content-length": "3" } }),
  "two lengths": raw("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3", "{}"),
  "a negative length": raw("HTTP/1.1 200 OK\r\ncontent-length: -1", "{}"),
  "broken chunks": raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked", "zz\r\n{}"),
  "another protocol": { raw: "SSH-2.0-OpenSSH_9.6\r\n" },
  "half a status line": { raw: "HTTP/1.1 20" },
  "a huge header": raw(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}`),
  "a line feed in a header": raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\n\n", "{}"),
  "only announcements": { raw: "HTTP/1.1 100 Continue\r\n\r\n".repeat(3) },
  // Connections.
  "closed at once": { apply: "never", cutAfter: 0, ending: "close" },
  "reset at once": { apply: "never", cutAfter: 0, ending: "reset" },
  "closed in the head": { ...status(200), cutAfter: 20, ending: "close" },
  "reset in the head": { ...status(200), cutAfter: 20, ending: "reset" },
  "closed in the body": {
    ...answer({ body: json({ a: "b".repeat(100) }) }),
    cutAfter: 130,
    ending: "close",
  },
  "reset in the body": {
    ...answer({ body: json({ a: "b".repeat(100) }) }),
    cutAfter: 130,
    ending: "reset",
  },
  // Time.
  "slow, 1 s": { delayMs: 1_000 },
  "slow, 4.5 s": { delayMs: 4_500 },
  "slower than the deadline": { apply: "never", delayMs: 14_000 },
  hanging: { apply: "never", cutAfter: 0, ending: "hang" },
  "hanging in the body": {
    ...answer({ body: json({ a: 1 }), headers: { "content-length": "99" } }),
    ending: "hang",
  },
  "one byte a second": { drip: { bytes: 1, everyMs: 1_000 } },
};

/** What the service or its network can do to one kind of call. Leaves out lies that nobody could detect. */
export const faultList: NamedFault[] = [
  ...Object.entries(actions).map(([name, action]) => ({ name, action })),
  { name: "every connection reset", action: {}, connections: "reset" },
  { name: "every connection hanging", action: {}, connections: "hang" },
];
