import { setMaxListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  connectionTo,
  startServices,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";

const options = { requestId: "r-1" };
const desired = { type: null, url: "https://partner.example/", authorization: null };
const hang = { apply: "never", ending: "hang" } as const;

/** For more callers at once than Node expects of one signal. */
function departure(): AbortController {
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  return leaving;
}

let services: Awaited<ReturnType<typeof startServices>>;
beforeEach(async () => {
  services = await startServices();
});
afterEach(async () => {
  await services.close();
});

describe("memory", () => {
  it("stops reading a body of a gigabyte a little after the limit (threat: memory exhausted)", async () => {
    const { upstream } = services;
    const { api } = testClient();
    const action = { answer: { body: " ".repeat(64 * 1024), repeat: 16 * 1024 } };
    upstream.setPlan({ rules: [{ kind: "list", action }] });
    expect(await api.list(connectionTo(upstream.url), options)).toMatchObject({
      fault: { code: "bad_response" },
    });
    await upstream.idle();
    await expect.poll(() => upstream.traffic().open).toBe(0);
    // The limit is 1 MiB; the rest is what the two sockets' buffers hold.
    expect(upstream.traffic().bytesSent).toBeLessThan(32 * 1024 * 1024);
  });

  it("takes a list of just under 1 MiB that is otherwise in order", async () => {
    const { upstream } = services;
    const { api } = testClient();
    const body = `{"webhooks":[]${" ".repeat(1024 * 1024 - 16)}}`;
    upstream.setPlan({ rules: [{ kind: "list", action: { answer: { body } } }] });
    expect(await api.list(connectionTo(upstream.url), options)).toMatchObject({ ok: true });
  });
});

describe("one partner's slow service", () => {
  it("takes eight places of its own, and none of another partner's", async () => {
    const { upstream } = services;
    const { api } = testClient();
    const slow = connectionTo(`${upstream.url}/slow`, { id: "slow" });
    upstream.setPlan({ rules: [{ kind: "list", prefix: "slow", action: hang }] });
    const leaving = departure();
    const waiting = Array.from({ length: 30 }, () =>
      api.list(slow, { ...options, signal: leaving.signal }),
    );
    await expect.poll(() => upstream.counts().list).toBe(8);

    const other = connectionTo(`${upstream.url}/quick`, { id: "quick" });
    expect(await api.list(other, options)).toMatchObject({ ok: true });
    expect(upstream.counts().list).toBe(9);
    leaving.abort(new Error("enough"));
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => "rejected"));
    // Those who were still in the queue never reached the service.
    expect(upstream.counts().list).toBe(9);
  });

  it("frees its places when the calls end, for those who wait longest", async () => {
    const { upstream } = services;
    const { api } = testClient({ limits: { concurrencyPerConnection: 1 } });
    const connection = connectionTo(upstream.url);
    upstream.setPlan({ rules: [{ kind: "list", action: { delayMs: 5 } }] });
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        await api.list(connection, options);
        order.push(number);
      }),
    );
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("gives no place to one who stopped waiting", async () => {
    const { upstream } = services;
    const { api } = testClient({ limits: { concurrencyPerConnection: 1 } });
    const connection = connectionTo(upstream.url);
    await api.list(connection, options);
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: hang }] });
    const [holding, queueing] = [departure(), departure()];
    const held = api.list(connection, { ...options, signal: holding.signal });
    await expect.poll(() => upstream.counts().list).toBe(1);
    const queued = api.list(connection, { ...options, signal: queueing.signal });
    const next = api.list(connection, options);
    // Both have their token; a turn of the event loop brings them to the queue.
    await new Promise((resolve) => setImmediate(resolve));
    queueing.abort(new Error("enough"));
    await expect(queued).rejects.toThrow("enough");
    holding.abort(new Error("enough"));
    await expect(held).rejects.toThrow("enough");
    expect(await next).toMatchObject({ ok: true });
    expect(upstream.counts().list).toBe(2);
  });

  it("lets only so many wait; who comes then hears at once that it is busy", async () => {
    const { upstream } = services;
    const { api } = testClient({ limits: { concurrencyPerConnection: 1, waiting: 2 } });
    const connection = connectionTo(upstream.url);
    await api.list(connection, options);
    upstream.setPlan({ rules: [{ kind: "list", action: hang }] });
    const leaving = departure();
    const early = [1, 2, 3].map(() => api.list(connection, { ...options, signal: leaving.signal }));
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await api.list(connection, options)).toEqual({
      ok: false,
      fault: {
        code: "upstream_unavailable",
        applied: "no",
        retryable: true,
        retryAfter: 1,
        during: "list",
      },
    });
    leaving.abort(new Error("enough"));
    await Promise.allSettled(early);
    expect(upstream.counts().list).toBe(1);
  });

  it("bounds the requests to one origin, all partners together", async () => {
    const { upstream } = services;
    const { api } = testClient({ limits: { concurrencyPerOrigin: 3 } });
    const partners = ["a", "b", "c", "d", "e"].map((id) => connectionTo(upstream.url, { id }));
    await Promise.all(partners.map((partner) => api.list(partner, options)));
    upstream.setPlan({ rules: [{ kind: "list", action: hang }] });
    const leaving = departure();
    const waiting = partners.map((partner) =>
      api.list(partner, { ...options, signal: leaving.signal }),
    );
    await expect.poll(() => upstream.counts().list).toBe(3);
    leaving.abort(new Error("enough"));
    await Promise.allSettled(waiting);
    expect(upstream.counts().list).toBe(3);
  });
});

describe("a write that cannot end in time", () => {
  it("is not sent when its turn does not come: certainly not applied", async () => {
    const { upstream } = services;
    const { api } = testClient({ limits: { concurrencyPerConnection: 1 } });
    const connection = connectionTo(upstream.url);
    await api.list(connection, options);
    upstream.setPlan({ rules: [{ kind: "list", action: hang }] });
    const leaving = departure();
    const blocking = api.list(connection, { ...options, signal: leaving.signal });
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await api.register(connection, desired, { ...options, timeoutMs: 50 })).toMatchObject({
      fault: { code: "upstream_timeout", applied: "no", during: "register" },
    });
    leaving.abort(new Error("enough"));
    await expect(blocking).rejects.toThrow("enough");
    expect(upstream.counts().register).toBe(0);
  });

  it("is not begun when too little time is left", async () => {
    const { upstream } = services;
    const { api } = testClient({ limits: { minWriteMs: 3_000 } });
    const connection = connectionTo(upstream.url);
    await api.list(connection, options);
    expect(await api.register(connection, desired, { ...options, timeoutMs: 2_000 })).toMatchObject(
      {
        fault: { code: "upstream_timeout", applied: "no", during: "register" },
      },
    );
    expect(upstream.counts().register).toBe(0);
    expect(await api.register(connection, desired, options)).toEqual({ ok: true, status: 201 });
  });
});
