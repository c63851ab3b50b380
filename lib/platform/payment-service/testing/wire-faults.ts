import type { Action, PlannedAnswer } from "@/e2e/faulty-upstream/plan";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";

/** How a call ends, after so many requests of its kind; `fine`: it does not fail. */
export type End = { code: FaultCode; applied: "no" | "unknown"; requests: number } | "fine";

/**
 * Every row of the table of faults that concerns a single call, over real sockets: what happens on the wire, and for
 * each of the three calls how it ends. A status and a Retry-After of the row are the fault's, too.
 */
export type WireFault = [
  fault: string,
  action: Action,
  ends: Record<"token" | "list" | "register", End>,
];

const certain = (code: FaultCode, requests = 1): End => ({ code, applied: "no", requests });
const unsure = (code: FaultCode): End => ({ code, applied: "unknown", requests: 1 });

/** The exchange and the list end alike, after so many requests. */
function ended(code: FaultCode, register: End, requests = 1): WireFault[2] {
  return { token: certain(code, requests), list: certain(code, requests), register };
}

/** The service answers nothing useful: reads are tried so often, and a write may have been applied. */
const silent = (code: FaultCode, requests: number) => ended(code, unsure(code), requests);

/** As `silent`, but a whole answer of 200 with any body makes a write a candidate. */
const badBody = (requests: number) => ended("bad_response", "fine", requests);

const limited = (requests: number) => silent("upstream_rate_limited", requests);

const html = "<html><script>alert(1)</script></html>";
const asHtml = { headers: { "content-type": "text/html" }, body: html };
const good = '{"webhooks":[{"type":"pix_in","callback_url":"https://x.example/","events":[]}]}';
const invalidUtf8 = Buffer.from('{"webhooks":[],"access_token":"t\xff"}', "latin1");

const status = (code: number, more: PlannedAnswer = {}): Action => ({
  answer: { status: code, body: '{"error":"made up"}', ...more },
});
const later = (code: number, seconds: string) =>
  status(code, { headers: { "retry-after": seconds } });
export const body = (text: string, more: PlannedAnswer = {}): Action => ({
  answer: { body: text, ...more },
});
const cut = (code: number, ending: "reset" | "hang"): Action => ({
  ...status(code, { headers: { "content-length": "500" } }),
  ending,
});

export const wireFaults: WireFault[] = [
  ["400", status(400), ended("upstream_contract", certain("upstream_rejected"))],
  ["403", status(403), ended("ip_not_allowed", certain("upstream_rejected"))],
  [
    "401 with any text, twice",
    status(401),
    {
      ...ended("credentials_rejected", certain("credentials_rejected", 2), 2),
      token: certain("credentials_rejected"),
    },
  ],
  ["404, no JSON", status(404, asHtml), ended("misconfigured", certain("upstream_rejected"))],
  [
    "404 with a JSON body",
    status(404),
    { ...ended("misconfigured", certain("upstream_rejected")), list: "fine" },
  ],
  // Something in between may have answered, or the service after the write.
  ...[405, 408, 409, 425].map((code): WireFault => [
    `${code}, which is no refusal of the contract`,
    status(code),
    ended("upstream_contract", unsure("upstream_rejected")),
  ]),
  ["429 without Retry-After", status(429), limited(1)],
  ["429 with a Retry-After beyond the deadline", later(429, "120"), limited(1)],
  ["429 with a Retry-After within the deadline, every time", later(429, "0"), limited(3)],
  ["500", status(500), silent("upstream_unavailable", 3)],
  ["503 and later", later(503, "3600"), silent("upstream_unavailable", 1)],
  ["500, a body cut off: the status counts", cut(500, "reset"), silent("upstream_unavailable", 3)],
  ["a redirect", status(307, { headers: { location: "/api" } }), silent("misconfigured", 1)],
  ["204", status(204, { headers: { "content-length": "" }, body: "" }), silent("bad_response", 1)],
  ["status 999", status(999), silent("bad_response", 1)],
  ["a page instead of JSON", { answer: asHtml }, badBody(1)],
  ["a byte order mark", body(`\uFEFF${good}`), badBody(3)],
  ["invalid UTF-8", body(invalidUtf8.toString("base64"), { base64: true }), badBody(1)],
  ["8 MiB of body", body(" ".repeat(64 * 1024), { repeat: 128 }), badBody(1)],
  ["a gzip bomb of 16 MiB", body(" ".repeat(2 ** 20), { repeat: 16, gzip: true }), badBody(1)],
  ["a million items", body(`{"webhooks":[${"1,".repeat(499_999)}1]}`), badBody(1)],
  [
    "nesting 100,000 deep",
    body(`{"webhooks":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    badBody(1),
  ],
  ["truncated JSON", body(good.slice(0, -3)), badBody(3)],
  ["an empty body", body(""), badBody(3)],
  ["JSON that is no object", body("[]"), badBody(1)],
  ["a reset in the middle of the body", cut(200, "reset"), silent("bad_response", 3)],
  [
    "a chunked body that breaks off",
    {
      raw: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"web',
    },
    silent("bad_response", 3),
  ],
  ["bytes that are not HTTP", { raw: "SSH-2.0-x\r\n" }, silent("bad_response", 3)],
  [
    "64 KiB of headers",
    body(good, { headers: { "x-padding": "x".repeat(64 * 1024) } }),
    silent("bad_response", 3),
  ],
  [
    "a reset before it was applied",
    { apply: "never", cutAfter: 0, ending: "reset" },
    silent("connection_failed", 3),
  ],
  [
    "the connection closed in the middle of the status line",
    { apply: "first", cutAfter: 10 },
    silent("connection_failed", 3),
  ],
];

/** Those that last as long as somebody waits. */
export const slowWireFaults: WireFault[] = [
  ["no answer at all", { apply: "never", ending: "hang" }, silent("upstream_timeout", 1)],
  [
    "one byte of the headers a second",
    { ...body(good), drip: { bytes: 1, everyMs: 1_000 } },
    silent("upstream_timeout", 1),
  ],
  ["a body that never ends", cut(200, "hang"), silent("upstream_timeout", 1)],
  [
    "an error whose body never ends: the status still counts",
    cut(400, "hang"),
    ended("upstream_contract", certain("upstream_rejected")),
  ],
];
