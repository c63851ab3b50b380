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
let upstream: (typeof services)["upstream"];
beforeEach(async () => {
  services = await startServices();
  ({ upstream } = services);
});
afterEach(async () => {
  await services.close();
});

describe("memory", () => {
  it("stops reading a body of a gigabyte a little after the limit (threat: memory exhausted)", async () => {
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
});

/** One request at a time. */
const one = { concurrencyPerOrigin: 1, reservedForSaves: 0 };

describe("a slow service", () => {
  it("gives no place to one who stopped waiting", async () => {
    const { api } = testClient({ limits: one });
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
    const { api } = testClient({ limits: { ...one, waiting: 2 } });
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

  it("leaves room for saves, however many readings there are (threat: readings that stop all saves)", async () => {
    const { api } = testClient({
      limits: { concurrencyPerOrigin: 2, reservedForSaves: 1, waiting: 2 },
    });
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const readings = ["a", "b", "c"].map((id) =>
      api.list(connectionTo(upstream.url, { id }), options),
    );
    await expect.poll(() => upstream.counts().list).toBe(1);
    const busy = await api.list(connectionTo(upstream.url, { id: "d" }), options);
    expect(busy).toMatchObject({ fault: { code: "upstream_unavailable", retryAfter: 1 } });
    const saving = connectionTo(upstream.url, { id: "e" });
    expect(await api.list(saving, { ...options, ofSave: true })).toMatchObject({ ok: true });
    expect(await api.register(saving, desired, options)).toMatchObject({ ok: true });
    upstream.release();
    expect((await Promise.all(readings)).every(({ ok }) => ok)).toBe(true);
  });

  it("is asked by saves before the readings that wait longer", async () => {
    const { api } = testClient({ limits: one });
    const connection = connectionTo(upstream.url);
    await api.list(connection, options);
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const order: string[] = [];
    const asking = [{}, {}, { ofSave: true as const }].map(async (of, number) => {
      await api.list(connection, { ...options, ...of });
      order.push("ofSave" in of ? "save" : `reading ${number}`);
    });
    await expect.poll(() => upstream.counts().list).toBe(1);
    upstream.release();
    await Promise.all(asking);
    expect(order).toEqual(["reading 0", "save", "reading 1"]);
  });
});

describe("a write that cannot end in time", () => {
  it("is not sent when its turn does not come: certainly not applied", async () => {
    const { api } = testClient({ limits: one });
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
