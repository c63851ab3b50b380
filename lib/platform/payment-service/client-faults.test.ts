import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { Action, Kind, PlannedAnswer } from "@/e2e/faulty-upstream/plan";
import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import { type Sandbox, startSandbox } from "@/lib/sandbox/start";
import { Secret } from "@/lib/platform/runtime/secret";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import {
  connectionTo,
  credentials,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";
import type { RegisterInput } from "./types";

/** How a call ends, after so many requests of its kind; `fine`: it does not fail. */
type End = { code: FaultCode; applied: "no" | "unknown"; requests: number } | "fine";

/**
 * Every row of the table of faults that concerns a single call, over real sockets: what happens on the wire, and for
 * each of the three calls how it ends. A status and a Retry-After of the row are the fault's, too.
 */
type Row = [fault: string, action: Action, ends: Record<"token" | "list" | "register", End>];

const certain = (code: FaultCode, requests = 1): End => ({ code, applied: "no", requests });
const unsure = (code: FaultCode): End => ({ code, applied: "unknown", requests: 1 });

/** The exchange and the list end alike, after so many requests. */
function ended(code: FaultCode, register: End, requests = 1): Row[2] {
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
const body = (text: string, more: PlannedAnswer = {}): Action => ({
  answer: { body: text, ...more },
});
const cut = (code: number, ending: "reset" | "hang"): Action => ({
  ...status(code, { headers: { "content-length": "500" } }),
  ending,
});

const rows: Row[] = [
  ["400", status(400), ended("upstream_contract", certain("upstream_rejected"))],
  ["403", status(403), ended("ip_not_allowed", certain("ip_not_allowed"))],
  [
    "401 with any text, twice",
    status(401),
    {
      ...ended("credentials_rejected", certain("credentials_rejected", 2), 2),
      token: certain("credentials_rejected"),
    },
  ],
  ["404, no JSON", status(404, asHtml), ended("misconfigured", certain("misconfigured"))],
  [
    "404 with a JSON body",
    status(404),
    { ...ended("misconfigured", certain("misconfigured")), list: "fine" },
  ],
  // Something in between may have answered, or the service after the write.
  ...[405, 408, 409, 425].map((code): Row => [
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

const slowRows: Row[] = [
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

const desired: RegisterInput = {
  type: "pix_in",
  url: "https://partner.example/pix",
  authorization: new Secret("Bearer receiver-check"),
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clients: [credentials] });
});
afterAll(() => sandbox.close());

/** Nothing that the client hands out or writes down may hold a secret. */
function expectNoSecrets(...shown: unknown[]) {
  const text = JSON.stringify(shown);
  for (const secret of [credentials.client_secret, "receiver-check", "Basic ", "eyJ"])
    expect(text).not.toContain(secret);
}

/** A client that has its token already, unless the fault is at the exchange, in front of an upstream with the fault. */
async function meet(context: TestContext, kind: Kind, action: Action, timeoutMs: number) {
  const upstream = await startFaultyUpstream({ sandbox: sandbox.url });
  context.onTestFinished(() => upstream.close());
  const { api, lines } = testClient({ limits: { exchangeMs: Math.min(timeoutMs, 8_000) } });
  const connection = connectionTo(upstream.url);
  if (kind !== "token") await api.list(connection, { requestId: "r-0" });
  upstream.setPlan({ rules: [{ kind, action }] });
  return { upstream, api, lines, connection };
}

/** What the caller is given. */
function expected(kind: "token" | "list" | "register", end: End, { answer }: Action) {
  if (end === "fine") return { ok: true, ...(kind === "register" && { status: 200 }) };
  const { code, applied } = end;
  const fault: object = { code, applied, during: kind };
  if (answer?.status) Object.assign(fault, { upstreamStatus: answer.status });
  const retryAfter = answer?.headers?.["retry-after"];
  if (retryAfter) Object.assign(fault, { retryAfter: Number(retryAfter) });
  return { ok: false, fault };
}

function itMeets(action: Action, ends: Row[2], timeoutMs: number) {
  it.for(["token", "list", "register"] as const)("on a %s", async (kind, context) => {
    const { upstream, api, lines, connection } = await meet(context, kind, action, timeoutMs);
    // The exchange ends a little earlier than those who wait for it.
    const options = { requestId: "r-1", timeoutMs: kind === "token" ? timeoutMs * 2 : timeoutMs };
    const call = (which: "list" | "register") =>
      which === "list" ? api.list(connection, options) : api.register(connection, desired, options);
    const result = await call(kind === "register" ? "register" : "list");
    const end = ends[kind];
    expect(result).toMatchObject(expected(kind, end, action));
    // A registration is sent once and never again by itself, but after a 401.
    const requests = end === "fine" ? 1 : end.requests;
    expect(upstream.counts()).toMatchObject({ [kind]: requests, other: 0 });
    if (kind === "token") {
      const registered = await call("register");
      expect(registered).toMatchObject(expected(kind, end, action));
      expectNoSecrets(registered);
      expect(upstream.counts()).toMatchObject({ list: 0, register: 0, other: 0 });
    }
    // "no" is never claimed of an applied write.
    const sent = upstream.received().filter((one) => one.kind === "register");
    if (end !== "fine" && end.applied === "no")
      expect(sent.map(({ applied }) => applied)).toEqual(sent.map(() => null));
    expectNoSecrets(result, lines);
  });
}

describe.each(rows)("%s", (_fault, action, ends) => itMeets(action, ends, 8_000));

// Side by side, because each of them waits for its deadline.
describe.concurrent.each(slowRows)("%s", (_fault, action, ends) => itMeets(action, ends, 1_000));

it("a registration that was answered with 401 is known as refused where there is no time left to send it again", async (context) => {
  const action: Action = { delayMs: 1_200, answer: { status: 401, body: "{}" } };
  const { upstream, api, connection } = await meet(context, "register", action, 8_000);
  const notAfter = performance.now() + 1_000;
  const registered = await api.register(connection, desired, { requestId: "r-1", notAfter });
  expect(upstream.counts().register).toBe(1);
  expect(registered).toMatchObject({
    ok: false,
    fault: { applied: "no", during: "register", upstreamStatus: 401 },
  });
});
