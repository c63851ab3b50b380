import { beforeEach, describe, expect, it } from "vitest";
import type { Action } from "@/e2e/faulty-upstream/plan";
import { Secret } from "@/lib/platform/runtime/secret";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import {
  connectionTo,
  desired,
  inServices,
  options,
  testClient,
  upstream,
} from "@/lib/platform/payment-service/testing/harness";

/** The client's monotonic clock and the sandbox's wall clock, both under the test's hand. */
let now: number;
let sandboxTime: number;
let api: ReturnType<typeof testClient>["api"];
let connection: PartnerConnection;

inServices({ now: () => sandboxTime });
beforeEach(() => {
  now = 5_000;
  sandboxTime = Date.now();
  connection = connectionTo(upstream.url);
  // With time enough for hundreds of callers on a busy machine; none of these tests is about deadlines.
  const limits = { totalMs: 60_000, exchangeMs: 60_000 };
  ({ api } = testClient({ clock: () => now, limits }));
});

function passes(seconds: number) {
  now += seconds * 1_000;
}

function tokenAnswer(fields: Record<string, unknown>): Action {
  const body = { access_token: "a-token", token_type: "Bearer", expires_in: 1800, ...fields };
  return { answer: { body: JSON.stringify(body) } };
}

/** An upstream without a sandbox behind it: this answer to every exchange, and an empty list. */
function answerTokensWith(action: Action) {
  upstream.setPlan({
    rules: [
      { kind: "token", action },
      { kind: "list", action: { answer: { body: '{"webhooks":[]}' } } },
    ],
  });
}

/** How so many callers at once end: `ok`, or a fault's code. */
async function lists(callers: number): Promise<string[]> {
  const listing = Array.from({ length: callers }, () => api.list(connection, options));
  return (await Promise.all(listing)).map((result) => (result.ok ? "ok" : result.fault.code));
}

/** The client has a token, which the service no longer accepts. */
async function withOldToken() {
  await api.list(connection, options);
  upstream.setPlan({ rules: [] });
  sandboxTime += 2 * 60 * 60 * 1_000;
}

describe("one exchange for all who wait", () => {
  it("exchanges once for 100 callers without a token", async () => {
    answerTokensWith(tokenAnswer({}));
    expect(new Set(await lists(100))).toEqual(new Set(["ok"]));
    expect(upstream.counts()).toMatchObject({ token: 1, list: 100 });
  });

  it("exchanges once more for 100 callers with a token that the service no longer accepts", async () => {
    await withOldToken();
    expect(new Set(await lists(100))).toEqual(new Set(["ok"]));
    expect(upstream.counts().token).toBe(1);
  });

  it("retries a registration after a 401 with the new token, and applies it once", async () => {
    await withOldToken();
    expect(await api.register(connection, desired, options)).toEqual({ ok: true, status: 201 });
    const sent = upstream.received().filter(({ kind }) => kind === "register");
    expect(sent.map(({ applied }) => applied)).toEqual([401, 201]);
    expect(upstream.counts().token).toBe(1);
  });

  it("passes a failed exchange's failure to all 100 who wait, with no more calls than for one", async () => {
    upstream.setPlan({ rules: [{ kind: "token", action: { answer: { status: 503 } } }] });
    expect(new Set(await lists(100))).toEqual(new Set(["upstream_unavailable"]));
    expect(upstream.counts()).toMatchObject({ token: 3, list: 0 });
  });

  it("continues for the others when the time of the caller who began it is up", async () => {
    upstream.setPlan({ rules: [{ kind: "token", action: { delayMs: 100 } }] });
    const first = api.list(connection, { ...options, timeoutMs: 50 });
    const second = api.list(connection, options);
    expect(await first).toMatchObject({ fault: { code: "upstream_timeout" } });
    expect(await second).toMatchObject({ ok: true });
    expect(upstream.counts().token).toBe(1);
  });

  it("keeps the token for the next caller when everybody has stopped waiting", async () => {
    upstream.setPlan({ rules: [{ kind: "token", action: { delayMs: 100 } }] });
    const impatient = await api.list(connection, { ...options, timeoutMs: 1 });
    expect(impatient).toMatchObject({
      ok: false,
      fault: { code: "upstream_timeout", applied: "no", during: "token" },
    });
    expect(await api.list(connection, options)).toMatchObject({ ok: true });
    expect(upstream.counts().token).toBe(1);
  });

  it("exchanges once more, and not for ever, where the service gives the same token again", async () => {
    upstream.setPlan({
      rules: [
        { kind: "token", action: tokenAnswer({ access_token: "always-the-same" }) },
        { kind: "list", action: { answer: { status: 401 } } },
      ],
    });
    expect(await lists(8)).toEqual(Array(8).fill("credentials_rejected"));
    expect(upstream.counts()).toMatchObject({ token: 2, list: 16 });
  });
});

describe("what is kept", () => {
  it("is no more connections than there may be, without the least recently used", async () => {
    const { api } = testClient({ limits: { rememberedConnections: 2 } });
    const list = (id: string) => api.list(connectionTo(upstream.url, { id }), options);
    for (const id of ["a", "b", "a", "c"]) await list(id);
    expect(upstream.counts().token).toBe(3);
    for (const id of ["a", "c"]) await list(id);
    expect(upstream.counts().token).toBe(3);
    await list("b");
    expect(upstream.counts().token).toBe(4);
  });

  it("is not pushed out by a request of older credentials", async () => {
    const edited = connectionTo(upstream.url, { version: 2 });
    for (const connection of [edited, connectionTo(upstream.url), edited])
      expect(await api.list(connection, options)).toMatchObject({ ok: true });
    expect(upstream.counts().token).toBe(2);
  });
});

describe("the life of a token", () => {
  it.each([
    { says: 1800, usedFor: 1800 - 60 },
    { says: 7200, usedFor: 55 * 60 },
    { says: 5, usedFor: 4 },
  ])("is $usedFor s of use where the service says $says s", async ({ says, usedFor }) => {
    answerTokensWith(tokenAnswer({ expires_in: says }));
    await api.list(connection, options);
    passes(usedFor - 0.001);
    await api.list(connection, options);
    expect(upstream.counts().token).toBe(1);
    passes(0.001);
    await api.list(connection, options);
    expect(upstream.counts().token).toBe(2);
  });

  it.each([0, -1, "1800", undefined, null, 1e9, 86_401, 1.5, [1800], {}])(
    "is one request where the service says %j",
    async (expires_in) => {
      answerTokensWith(tokenAnswer({ expires_in }));
      expect(await api.list(connection, options)).toMatchObject({ ok: true });
      expect(await api.list(connection, options)).toMatchObject({ ok: true });
      expect(upstream.counts()).toMatchObject({ token: 2, list: 2 });
    },
  );

  it("counts from the time of the request: a slow exchange makes it shorter", async () => {
    upstream.setPlan({
      rules: [
        { kind: "token", action: { delayMs: 50, ...tokenAnswer({}) } },
        { kind: "list", action: { answer: { body: '{"webhooks":[]}' } } },
      ],
    });
    const first = api.list(connection, options);
    await expect.poll(() => upstream.counts().token).toBe(1);
    passes(4);
    await first;
    passes(1800 - 60 - 4);
    await api.list(connection, options);
    expect(upstream.counts().token).toBe(2);
  });
});

describe("a malformed token", () => {
  it.each([
    { access_token: undefined },
    { access_token: "" },
    { access_token: "x".repeat(8 * 1024 + 1) },
    // Threat: a header that the service, not we, would write.
    { access_token: "t\r\nx-injected: 1" },
    { access_token: "tökën" },
    { token_type: "mac" },
    { token_type: "Bearer " },
  ])("is refused and not kept: %j", async (fields) => {
    answerTokensWith(tokenAnswer(fields));
    const refused = { ok: false, fault: { code: "bad_response", during: "token" } };
    expect(await api.list(connection, options)).toMatchObject(refused);
    expect(await api.list(connection, options)).toMatchObject(refused);
    expect(upstream.counts()).toMatchObject({ token: 2, list: 0 });
  });

  it.each(["bearer", "BEARER"])("is not one of token type %s", async (token_type) => {
    answerTokensWith(tokenAnswer({ token_type, unknown_field: { a: 1 } }));
    expect(await api.list(connectionTo(upstream.url), options)).toMatchObject({ ok: true });
  });
});

describe("rejected credentials", () => {
  const wrong = { clientSecret: new Secret("wrong") };

  it("are not tried again for 30 s, which the fault counts down", async () => {
    const connection = connectionTo(upstream.url, wrong);
    const fault = {
      code: "credentials_rejected",
      applied: "no",
      retryable: false,
      during: "token",
    };
    const refusedFor = async (retryAfter: number) =>
      expect(await api.list(connection, options)).toMatchObject({
        fault: { ...fault, retryAfter },
      });
    await refusedFor(30);
    passes(10);
    await refusedFor(20);
    passes(19.9);
    await refusedFor(1);
    expect(upstream.counts().token).toBe(1);
    passes(0.1);
    await api.list(connection, options);
    expect(upstream.counts().token).toBe(2);
  });

  it("are tried at once after an edit", async () => {
    await api.list(connectionTo(upstream.url, wrong), options);
    const edited = connectionTo(upstream.url, { version: 2 });
    expect(await api.list(edited, options)).toMatchObject({ ok: true });
  });
});

describe("a token of older credentials", () => {
  it("is never used after an edit", async () => {
    await api.list(connectionTo(upstream.url), options);
    const edited = connectionTo(upstream.url, { version: 2, clientSecret: new Secret("wrong") });
    expect(await api.list(edited, options)).toMatchObject({
      fault: { code: "credentials_rejected", during: "token" },
    });
  });

  it("is not used for another service or client (threat: a token sent to a stranger)", async () => {
    await api.list(connectionTo(upstream.url), options);
    await api.list(connectionTo(`${upstream.url}/elsewhere`), options);
    expect(upstream.counts().token).toBe(2);
  });

  it("is not kept if its exchange ends after it was forgotten", async () => {
    upstream.setPlan({ rules: [{ kind: "token", times: 1, action: { delayMs: 50 } }] });
    const early = api.list(connection, options);
    await expect.poll(() => upstream.counts().token).toBe(1);
    api.forget(connection.id);
    await early;
    await api.list(connection, options);
    expect(upstream.counts().token).toBe(2);
  });
});
