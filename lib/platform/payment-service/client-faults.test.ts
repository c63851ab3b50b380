import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { Action, Kind } from "@/e2e/faulty-upstream/plan";
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

/**
 * Every row of the table of faults that concerns a single call, over real sockets: what happens on the wire, and for
 * each of the three calls the client's result and how often it called.
 */
type Row = {
  fault: string;
  action: Action;
  token: "fine" | { code: FaultCode; requests: number };
  list: "fine" | { code: FaultCode; requests: number };
  register: "fine" | { code: FaultCode; applied: "no" | "unknown"; requests?: number };
  retryAfter?: number;
  status?: number;
};

const html = "<html><script>alert(1)</script></html>";
const good = '{"webhooks":[{"type":"pix_in","callback_url":"https://x.example/","events":[]}]}';

type Ends = Pick<Row, "token" | "list" | "register">;

/** The exchange and the list end alike, after so many requests. */
function ended(code: FaultCode, register: Row["register"], requests = 1): Ends {
  return { token: { code, requests }, list: { code, requests }, register };
}

/** The service answers nothing useful: reads are tried so often, and a write may have been applied. */
const silent = (code: FaultCode, requests: number) =>
  ended(code, { code, applied: "unknown" }, requests);

/** As `silent`, but a whole answer of 200 with any body makes a write a candidate. */
const badBody = (requests: number) => ended("bad_response", "fine", requests);

const rows: Row[] = [
  {
    fault: "400",
    action: { answer: { status: 400, body: '{"error":"Unsupported grant type"}' } },
    ...ended("upstream_contract", { code: "upstream_rejected", applied: "no" }),
    status: 400,
  },
  {
    fault: "403",
    action: { answer: { status: 403, body: '{"error":"IP not whitelisted"}' } },
    ...ended("ip_not_allowed", { code: "ip_not_allowed", applied: "no" }),
    status: 403,
  },
  {
    fault: "401 with any text, twice",
    action: { answer: { status: 401, body: '{"error":"User inactive"}' } },
    token: { code: "credentials_rejected", requests: 1 },
    list: { code: "credentials_rejected", requests: 2 },
    register: { code: "credentials_rejected", applied: "no", requests: 2 },
    status: 401,
  },
  {
    fault: "404 that is not JSON",
    action: { answer: { status: 404, headers: { "content-type": "text/html" }, body: html } },
    ...ended("misconfigured", { code: "misconfigured", applied: "no" }),
    status: 404,
  },
  {
    fault: "404 with a JSON body",
    action: { answer: { status: 404, body: '{"error":"No route"}' } },
    token: { code: "misconfigured", requests: 1 },
    list: "fine",
    register: { code: "misconfigured", applied: "no" },
  },
  // Something in between may have answered, or the service after the write.
  ...[405, 408, 409, 425].map((status): Row => ({
    fault: `${status}, which is no refusal of the contract`,
    action: { answer: { status } },
    ...ended("upstream_contract", { code: "upstream_rejected", applied: "unknown" }),
    status,
  })),
  {
    fault: "429 without Retry-After",
    action: { answer: { status: 429 } },
    ...ended("upstream_rate_limited", { code: "upstream_rate_limited", applied: "unknown" }),
  },
  {
    fault: "429 with a Retry-After beyond the deadline",
    action: { answer: { status: 429, headers: { "retry-after": "120" } } },
    ...ended("upstream_rate_limited", { code: "upstream_rate_limited", applied: "unknown" }),
    retryAfter: 120,
  },
  {
    fault: "429 with a Retry-After within the deadline, every time",
    action: { answer: { status: 429, headers: { "retry-after": "0" } } },
    ...ended("upstream_rate_limited", { code: "upstream_rate_limited", applied: "unknown" }, 3),
    retryAfter: 0,
  },
  {
    fault: "500",
    action: { answer: { status: 500, body: '{"error":"oops"}' } },
    ...silent("upstream_unavailable", 3),
    status: 500,
  },
  {
    fault: "503 with a Retry-After beyond the deadline",
    action: { answer: { status: 503, headers: { "retry-after": "3600" } } },
    ...silent("upstream_unavailable", 1),
    retryAfter: 3600,
  },
  {
    fault: "500 whose body breaks off: the status still counts",
    action: {
      answer: { status: 500, headers: { "content-length": "100" }, body: "x" },
      ending: "reset",
    },
    ...silent("upstream_unavailable", 3),
    status: 500,
  },
  {
    fault: "a redirect",
    action: { answer: { status: 307, headers: { location: "/api/v1/elsewhere" } } },
    ...silent("misconfigured", 1),
    status: 307,
  },
  {
    fault: "204",
    action: { answer: { status: 204, headers: { "content-length": "" } } },
    ...silent("bad_response", 1),
    status: 204,
  },
  { fault: "status 999", action: { answer: { status: 999 } }, ...silent("bad_response", 1) },
  {
    fault: "a page instead of JSON",
    action: { answer: { headers: { "content-type": "text/html" }, body: html } },
    ...badBody(1),
  },
  { fault: "a byte order mark", action: { answer: { body: `\uFEFF${good}` } }, ...badBody(3) },
  {
    fault: "invalid UTF-8",
    action: {
      answer: {
        base64: true,
        body: Buffer.from('{"webhooks":[],"access_token":"t\xff"}', "latin1").toString("base64"),
      },
    },
    ...badBody(1),
  },
  {
    fault: "8 MiB of body",
    action: { answer: { body: " ".repeat(64 * 1024), repeat: 128 } },
    ...badBody(1),
  },
  {
    fault: "a gzip bomb of 16 MiB",
    action: { answer: { body: " ".repeat(1024 * 1024), repeat: 16, gzip: true } },
    ...badBody(1),
  },
  {
    fault: "a million items",
    action: { answer: { body: `{"webhooks":[${"1,".repeat(499_999)}1]}` } },
    ...badBody(1),
  },
  {
    fault: "nesting 100,000 deep",
    action: { answer: { body: `{"webhooks":${"[".repeat(100_000)}${"]".repeat(100_000)}}` } },
    ...badBody(1),
  },
  { fault: "truncated JSON", action: { answer: { body: good.slice(0, -3) } }, ...badBody(3) },
  { fault: "an empty body", action: { answer: { body: "" } }, ...badBody(3) },
  { fault: "JSON that is no object", action: { answer: { body: "[]" } }, ...badBody(1) },
  {
    fault: "a reset in the middle of the body",
    action: { answer: { headers: { "content-length": "500" }, body: good }, ending: "reset" },
    ...silent("bad_response", 3),
  },
  {
    fault: "a chunked body that breaks off",
    action: {
      raw: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"web',
    },
    ...silent("bad_response", 3),
  },
  {
    fault: "bytes that are not HTTP",
    action: { raw: "SSH-2.0-x\r\n" },
    ...silent("bad_response", 3),
  },
  {
    fault: "64 KiB of headers",
    action: { answer: { headers: { "x-padding": "x".repeat(64 * 1024) }, body: good } },
    ...silent("bad_response", 3),
  },
  {
    fault: "a reset before it was applied",
    action: { apply: "never", cutAfter: 0, ending: "reset" },
    ...silent("connection_failed", 3),
  },
  {
    fault: "the connection closed in the middle of the status line",
    action: { apply: "first", cutAfter: 10 },
    ...silent("connection_failed", 3),
  },
];

const slowRows: Row[] = [
  {
    fault: "no answer at all",
    action: { apply: "never", ending: "hang" },
    ...silent("upstream_timeout", 1),
  },
  {
    fault: "one byte of the headers a second",
    action: { drip: { bytes: 1, everyMs: 1_000 }, answer: { body: good } },
    ...silent("upstream_timeout", 1),
  },
  {
    fault: "a body that never ends",
    action: { answer: { headers: { "content-length": "500" }, body: good }, ending: "hang" },
    ...silent("upstream_timeout", 1),
    status: 200,
  },
  {
    fault: "an error whose body never ends: the status still counts",
    action: { answer: { status: 400, headers: { "content-length": "9" } }, ending: "hang" },
    ...ended("upstream_contract", { code: "upstream_rejected", applied: "no" }),
  },
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
afterAll(async () => {
  await sandbox.close();
});

/** Nothing that the client hands out or writes down may hold a secret. */
function expectNoSecrets(...shown: unknown[]) {
  const text = JSON.stringify(shown);
  for (const secret of [credentials.client_secret, "receiver-check", "Basic ", "eyJ"]) {
    expect(text).not.toContain(secret);
  }
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

function itMeets({ action, token, list, register, retryAfter, status }: Row, timeoutMs: number) {
  // The exchange ends a little earlier than those who wait for it.
  const options = { requestId: "r-1", timeoutMs: timeoutMs * 2 };

  if (token !== "fine") {
    it(`at the exchange is ${token.code}, for a list and a registration`, async (context) => {
      const { upstream, api, lines, connection } = await meet(context, "token", action, timeoutMs);
      const expected = {
        ok: false,
        fault: {
          code: token.code,
          applied: "no",
          during: "token",
          ...(status === undefined ? {} : { upstreamStatus: status }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      };
      const listed = await api.list(connection, options);
      expect(listed).toMatchObject(expected);
      expect(upstream.counts()).toEqual({ token: token.requests, list: 0, register: 0, other: 0 });

      const registered = await api.register(connection, desired, options);
      expect(registered).toMatchObject(expected);
      expect(upstream.counts()).toMatchObject({ list: 0, register: 0, other: 0 });
      expectNoSecrets(listed, registered, lines);
    });
  }

  it(`on a list is ${list === "fine" ? "understood" : list.code}`, async (context) => {
    const { upstream, api, lines, connection } = await meet(context, "list", action, timeoutMs);
    const listed = await api.list(connection, { ...options, timeoutMs });
    if (list === "fine") {
      expect(listed).toMatchObject({ ok: true });
    } else {
      expect(listed).toMatchObject({
        ok: false,
        fault: {
          code: list.code,
          applied: "no",
          during: "list",
          ...(status === undefined ? {} : { upstreamStatus: status }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      });
      expect(upstream.counts()).toMatchObject({ list: list.requests, register: 0, other: 0 });
    }
    expectNoSecrets(listed, lines);
  });

  const outcome = register === "fine" ? "a candidate" : `${register.code}, ${register.applied}`;
  it(`on a registration is ${outcome}`, async (context) => {
    const { upstream, api, lines, connection } = await meet(context, "register", action, timeoutMs);
    const registered = await api.register(connection, desired, { ...options, timeoutMs });
    const sent = upstream.received().filter(({ kind }) => kind === "register");
    if (register === "fine") {
      expect(registered).toEqual({ ok: true, status: 200 });
      expect(sent).toHaveLength(1);
    } else {
      const { code, applied, requests = 1 } = register;
      expect(registered).toMatchObject({
        ok: false,
        fault: {
          code,
          applied,
          during: "register",
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      });
      // Sent once and never again by itself, but after a 401; and "no" is never claimed of an applied write.
      expect(sent).toHaveLength(requests);
      if (applied === "no") expect(sent.map((one) => one.applied)).toEqual(sent.map(() => null));
    }
    expect(upstream.counts().other).toBe(0);
    expectNoSecrets(registered, lines);
  });
}

describe.each(rows)("$fault", (row) => {
  itMeets(row, 8_000);
});

// Side by side, because each of them waits for its deadline.
describe.concurrent.each(slowRows)("$fault", (row) => {
  itMeets(row, 1_000);
});

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
