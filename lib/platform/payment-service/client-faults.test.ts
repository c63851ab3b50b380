import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { Action, Kind } from "@/e2e/faulty-upstream/plan";
import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import { type Sandbox, startSandbox } from "@/lib/sandbox/start";
import { Secret } from "@/lib/platform/runtime/secret";
import {
  connectionTo,
  credentials,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";
import {
  slowWireFaults,
  wireFaults,
  type End,
  type WireFault,
} from "@/lib/platform/payment-service/testing/wire-faults";
import type { RegisterInput } from "./types";

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
async function meet(
  context: TestContext,
  kind: Kind,
  action: Action,
  timeoutMs: number,
  keepAlive = false,
) {
  const upstream = await startFaultyUpstream({ sandbox: sandbox.url, keepAlive });
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

const onEach = [
  ["token", "a new connection"],
  ["list", "a new connection"],
  ["list", "a kept connection"],
  ["register", "a new connection"],
  ["register", "a new connection beside a kept one"],
] as const;

function itMeets(action: Action, ends: WireFault[2], timeoutMs: number) {
  it.for(onEach)("on a %s over %s", async ([kind, over], context) => {
    const isKept = over.includes("kept");
    const met = await meet(context, kind, action, timeoutMs, isKept);
    const { upstream, api, lines, connection } = met;
    // The exchange ends a little earlier than those who wait for it.
    const options = { requestId: "r-1", timeoutMs: kind === "token" ? timeoutMs * 2 : timeoutMs };
    const call = (which: "list" | "register") =>
      which === "list" ? api.list(connection, options) : api.register(connection, desired, options);
    const result = await call(kind === "register" ? "register" : "list");
    const end = ends[kind];
    expect(result).toMatchObject(expected(kind, end, action));
    // A registration is sent once and never again by itself, but after a 401.
    // A read is, where the service ends a kept connection without a byte of an answer.
    const again = isKept && kind === "list" && action.cutAfter === 0 ? 1 : 0;
    const requests = end === "fine" ? 1 : end.requests + again;
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

describe.each(wireFaults)("%s", (_fault, action, ends) => itMeets(action, ends, 8_000));

// Side by side, because each of them waits for its deadline.
describe.concurrent.each(slowWireFaults)("%s", (_fault, action, ends) =>
  itMeets(action, ends, 1_000),
);

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

it.for([
  ["cut", { cutAfter: 5, ending: "reset" }, 8_000],
  ["missing until the deadline", { cutAfter: 0, ending: "hang" }, 1_000],
] as const)(
  "a registration that is sent again after a 401 is as its second answer says, not refused: %s",
  async ([, ending, timeoutMs], context) => {
    const { upstream, api, connection } = await meet(context, "register", {}, 8_000);
    upstream.setPlan({
      rules: [
        { kind: "register", times: 1, action: { answer: { status: 401, body: "{}" } } },
        { kind: "register", action: { apply: "first", ...ending } },
      ],
    });
    const options = { requestId: "r-1", timeoutMs };
    const registered = await api.register(connection, desired, options);
    expect(upstream.counts().register).toBe(2);
    expect(registered).toMatchObject({
      ok: false,
      fault: { applied: "unknown", during: "register" },
    });
    expect(registered).not.toHaveProperty("fault.upstreamStatus");
  },
);

it("a reading that times out after a 401 is not said to have been answered with it", async (context) => {
  const { upstream, api, connection } = await meet(context, "list", {}, 8_000);
  upstream.setPlan({
    rules: [
      { kind: "list", times: 1, action: { answer: { status: 401, body: "{}" } } },
      { kind: "list", action: { cutAfter: 0, ending: "hang" } },
    ],
  });
  const read = await api.list(connection, { requestId: "r-1", timeoutMs: 1_000 });
  expect(read).toMatchObject({ ok: false, fault: { code: "upstream_timeout", during: "list" } });
  expect(read).not.toHaveProperty("fault.upstreamStatus");
});
