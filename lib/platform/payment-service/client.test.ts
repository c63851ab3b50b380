import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Secret } from "@/lib/platform/runtime/secret";
import {
  connectionTo,
  credentials,
  desired,
  inServices,
  options,
  testClient,
  upstream,
} from "@/lib/platform/payment-service/testing/harness";

inServices();

describe("on the wire", () => {
  it("sends what the contract shows and no more", async () => {
    const { api } = testClient();
    const connection = connectionTo(`${upstream.url}/a-prefix/`);
    const url = "https://partner.example/";
    const authorization = new Secret("Bearer receiver-check");
    await api.list(connection, options);
    await api.register(connection, { type: null, url, authorization: null }, options);
    await api.register(connection, { type: "pix_out", url, authorization }, options);

    const [token, list, ...registrations] = upstream.received();
    const basic = Buffer.from(`${credentials.client_id}:${credentials.client_secret}`, "utf8");
    expect(token).toMatchObject({
      kind: "token",
      body: '{"grant_type":"client_credentials"}',
      headers: {
        authorization: `Basic ${basic.toString("base64")}`,
        "content-type": "application/json",
      },
    });
    expect(list).toMatchObject({ kind: "list", body: "" });
    expect(list?.headers).not.toHaveProperty("content-type");
    expect(registrations.map(({ body }) => JSON.parse(body))).toEqual([
      { url },
      { url, type: "pix_out", authorization: "Bearer receiver-check" },
    ]);
    for (const { kind, prefix, headers } of upstream.received()) {
      expect(prefix).toBe("a-prefix");
      expect(headers).toMatchObject({
        "user-agent": "gancho/0.0.0-test",
        "x-request-id": "r-1",
        accept: "application/json",
        "accept-encoding": "identity",
      });
      // Threat: the Basic value of the contract's header example would hand the secret to every call.
      expect(headers.authorization).toMatch(kind === "token" ? /^Basic / : /^Bearer [\w.-]+$/);
    }
  });

  it("opens a connection for each request to a service that keeps none, and leaves none open", async () => {
    const { api } = testClient();
    const connection = connectionTo(upstream.url);
    for (let i = 0; i < 5; i += 1) await api.list(connection, options);
    await upstream.idle();
    await expect.poll(() => upstream.traffic()).toMatchObject({ connections: 6, open: 0 });
  });

  it("leaves no timer and no socket behind, whatever came of the calls", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { api } = testClient({ limits: { retries: 0, connectMs: 120_000 } });
    const hang = { apply: "never", ending: "hang" } as const;
    upstream.setPlan({ rules: [{ kind: "list", prefix: "hangs", action: hang }] });
    const { url } = upstream;
    const list = async (id: string, baseUrl = url, clientId = credentials.client_id) =>
      (await api.list(connectionTo(baseUrl, { id, clientId }), options)).ok;
    expect(await list("a")).toBe(true);
    expect(await api.register(connectionTo(url), desired, options)).toMatchObject({ ok: true });
    expect(await list("b", url, "unknown")).toBe(false);
    expect(await list("c", "http://127.0.0.1:1")).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    const hanging = list("d", `${url}/hangs`);
    await expect.poll(() => upstream.counts().list).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(await hanging).toBe(false);
    upstream.setPlan({ rules: [], connections: "hang" });
    const handshaking = list("e", url.replace("http:", "https:"));
    await expect.poll(() => upstream.traffic().connections).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(await handshaking).toBe(false);
    // A destroyed socket is gone a turn or two of the event loop later.
    await expect.poll(() => [vi.getTimerCount(), upstream.traffic().open]).toEqual([0, 0]);
  });

  it("writes one line a request, with nothing in it but what is named here", async () => {
    const { api, lines } = testClient();
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { answer: { status: 503 } } }] });
    await api.list(connectionTo(upstream.url), options);
    const common = {
      requestId: "r-1",
      connectionId: "aurora-sandbox",
      durationMs: expect.any(Number),
    };
    expect(lines).toEqual([
      { ...common, call: "token", attempt: 1, status: 200, fault: null },
      { ...common, call: "list", attempt: 1, status: 503, fault: "upstream_unavailable" },
      { ...common, call: "list", attempt: 2, status: 404, fault: null },
    ]);
  });

  it("retries a read that fails twice, after as long as the service demands, and answers with the third", async () => {
    const { api } = testClient();
    const reset = { cutAfter: 0, ending: "reset" } as const;
    upstream.setPlan({
      rules: [
        { kind: "token", times: 1, action: { answer: { status: 500 } } },
        {
          kind: "list",
          times: 1,
          action: { answer: { status: 429, headers: { "retry-after": "1" } } },
        },
        { kind: "list", from: 1, times: 1, action: reset },
        { kind: "list", from: 2, times: 1, action: reset },
      ],
    });
    const begun = performance.now();
    expect(await api.list(connectionTo(upstream.url), options)).toMatchObject({ ok: true });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(999);
    expect(upstream.counts()).toMatchObject({ token: 2, list: 3 });
  });

  it("pauses where the service asks to slow down, for a minute at first, and then for as long as it says", async () => {
    let now = 0;
    const { api } = testClient({ clock: () => now });
    const [connection, other] = [
      connectionTo(upstream.url),
      connectionTo(upstream.url, { id: "b" }),
    ];
    const slowDown = { answer: { status: 429, headers: { "retry-after": "600" } } };
    upstream.setPlan({ rules: [{ kind: "list", times: 2, action: slowDown }] });
    const paused = async (seconds: number, calls: number) => {
      const fault = { code: "upstream_rate_limited", retryAfter: seconds };
      expect(await api.list(connection, options)).toMatchObject({ ok: false, fault });
      expect(upstream.counts().list).toBe(calls);
    };
    await paused(600, 1);
    now = 10_000;
    await paused(50, 1);
    now = 60_000;
    await paused(600, 2);
    now = 120_000;
    await paused(540, 2);
    expect(await api.list(other, options), "another one").toMatchObject({ ok: true });
    expect(await api.list(connection, { ...options, ofSave: true })).toMatchObject({ ok: true });
    expect(await api.list(connection, options), "it answered a save").toMatchObject({ ok: true });
  });
});

describe("at an address", () => {
  it("sends no secret over plain HTTP to another machine (threat: a mistyped base address)", async () => {
    const { api, lines } = testClient();
    const connection = connectionTo("http://payments.example");
    expect(await api.list(connection, options)).toMatchObject({
      ok: false,
      fault: { code: "misconfigured", during: "token" },
    });
    expect(lines).toMatchObject([{ status: null, fault: "misconfigured" }]);
  });

  it("says that a host name is not found", async () => {
    const { api } = testClient();
    // A label of 64 characters cannot be resolved, so no name server gets this.
    const connection = connectionTo(`https://${"x".repeat(64)}.example`);
    expect(await api.list(connection, options)).toMatchObject({
      ok: false,
      fault: { code: "name_not_found", applied: "no", during: "token" },
    });
  });
});

describe("a check of credentials", () => {
  const wrong = { clientSecret: new Secret("wrong") };

  it("exchanges them anew each time, whatever is kept", async () => {
    const { api, lines } = testClient();
    const connection = connectionTo(upstream.url);
    await api.list(connection, options);
    expect(await api.check(connection, options)).toEqual({ ok: true });
    expect(await api.check(connection, options)).toEqual({ ok: true });
    expect(lines.filter(({ call }) => call === "token")).toHaveLength(3);
  });

  it("does not touch what is in use when a candidate is refused (threat: a typo that cuts a partner off)", async () => {
    const { api, lines } = testClient();
    const connection = connectionTo(upstream.url);
    await api.list(connection, options);
    const candidate = connectionTo(upstream.url, { version: 2, ...wrong });
    expect(await api.check(candidate, options)).toMatchObject({
      ok: false,
      fault: { code: "credentials_rejected", applied: "no", during: "token", upstreamStatus: 401 },
    });
    expect(await api.list(connection, options)).toMatchObject({ ok: true });
    expect(lines.filter(({ call }) => call === "token")).toHaveLength(2);
  });

  it("ends at the caller's budget when nothing answers", async () => {
    const { api } = testClient();
    const action = { cutAfter: 0, ending: "hang" } as const;
    upstream.setPlan({ rules: [{ kind: "token", action }] });
    const hurried = { ...options, timeoutMs: 100 };
    expect(await api.check(connectionTo(upstream.url), hurried)).toMatchObject({
      ok: false,
      fault: { code: "upstream_timeout" },
    });
  });
});

it.each(["list", "token"] as const)(
  "a background call is not tried again where the service asks to slow down, and says for how long: %s",
  async (kind) => {
    const { api, lines } = testClient();
    const answer = { status: 429, headers: { "retry-after": "1" }, body: "{}" };
    upstream.setPlan({ rules: [{ kind, action: { answer } }] });
    const heard: string[] = [];
    const result = await api.list(connectionTo(upstream.url), {
      ...options,
      background: true,
      onCall: ({ call }) => heard.push(call),
    });
    expect(result).toMatchObject({
      ok: false,
      fault: { code: "upstream_rate_limited", retryAfter: 1 },
    });
    expect(upstream.counts()[kind]).toBe(1);
    expect(lines.at(-1)).toMatchObject({ call: kind, fault: "upstream_rate_limited" });
    expect(heard).toEqual(kind === "list" ? ["list"] : []);
  },
);
