import { describe, expect, it } from "vitest";
import type { Action } from "@/e2e/faulty-upstream/plan";
import {
  connectionTo,
  desired,
  inServices,
  options,
  testClient,
  upstream,
} from "@/lib/platform/payment-service/testing/harness";

inServices();

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

/** One request at a time. */
const one = { concurrencyPerOrigin: 1, reservedForSaves: 0 };
const hang: Action = { apply: "never", ending: "hang" };
const held: Action = { held: true };

/** A client that has its token, with these limits; its next `times` lists meet this action. */
async function meeting(action: Action, times: number, limits: object = one) {
  const { api } = testClient({ limits });
  const connection = connectionTo(upstream.url);
  await api.list(connection, options);
  upstream.setPlan({ rules: [{ kind: "list", times, action }] });
  const arrived = (lists: number) => expect.poll(() => upstream.counts().list).toBe(lists);
  return { api, connection, arrived };
}

describe("a slow service", () => {
  it("lets a limited number wait, and refuses more at once as busy", async () => {
    const { api, connection, arrived } = await meeting(held, 1, { ...one, waiting: 2 });
    const early = [1, 2, 3].map(() => api.list(connection, options));
    await arrived(1);
    expect(await api.list(connection, options)).toEqual({
      ok: false,
      fault: {
        code: "overloaded",
        applied: "no",
        retryable: true,
        retryAfter: 1,
        during: "list",
      },
    });
    upstream.release();
    expect((await Promise.all(early)).every(({ ok }) => ok)).toBe(true);
  });

  it("leaves room for saves, however many readings there are (threat: readings that stop all saves)", async () => {
    const limits = { concurrencyPerOrigin: 2, reservedForSaves: 1, waiting: 2 };
    const { api, arrived } = await meeting(held, 1, limits);
    const readings = ["a", "b", "c"].map((id) =>
      api.list(connectionTo(upstream.url, { id }), options),
    );
    await arrived(1);
    const busy = await api.list(connectionTo(upstream.url, { id: "d" }), options);
    expect(busy).toMatchObject({ fault: { code: "overloaded", retryAfter: 1 } });
    const saving = connectionTo(upstream.url, { id: "e" });
    expect(await api.list(saving, { ...options, ofSave: true })).toMatchObject({ ok: true });
    expect(await api.register(saving, desired, options)).toMatchObject({ ok: true });
    upstream.release();
    expect((await Promise.all(readings)).every(({ ok }) => ok)).toBe(true);
  });

  it("is called by saves before readings that have waited longer", async () => {
    const { api, connection, arrived } = await meeting(held, 1);
    const order: string[] = [];
    const asking = [{}, {}, { ofSave: true as const }].map(async (of, number) => {
      await api.list(connection, { ...options, ...of });
      order.push("ofSave" in of ? "save" : `reading ${number}`);
    });
    await arrived(1);
    upstream.release();
    await Promise.all(asking);
    expect(order).toEqual(["reading 0", "save", "reading 1"]);
  });

  it("delays no call of a person's because of background ones, however many are in flight", async () => {
    const { api, connection, arrived } = await meeting(held, 3, { ...one, waiting: 0 });
    const background = [1, 2, 3].map(() => api.list(connection, { ...options, background: true }));
    await arrived(3);
    expect(await api.list(connection, options)).toMatchObject({ ok: true });
    upstream.release();
    expect((await Promise.all(background)).every(({ ok }) => ok)).toBe(true);
  });
});

describe("a write that cannot end in time", () => {
  const late = { fault: { code: "upstream_timeout", applied: "no", during: "register" } };

  it("is not sent, and certainly not applied, when its turn does not come", async () => {
    const { api, connection, arrived } = await meeting(held, 1);
    const blocking = api.list(connection, options);
    await arrived(1);
    const hurried = { ...options, timeoutMs: 50 };
    expect(await api.register(connection, desired, hurried)).toMatchObject(late);
    upstream.release();
    expect(await blocking).toMatchObject({ ok: true });
    expect(upstream.counts().register).toBe(0);
  });

  it("is not begun, and certainly not applied, when too little time is left", async () => {
    const { api, connection } = await meeting(hang, 0, { minWriteMs: 3_000 });
    const hurried = { ...options, timeoutMs: 2_000 };
    expect(await api.register(connection, desired, hurried)).toMatchObject(late);
    expect(upstream.counts().register).toBe(0);
    expect(await api.register(connection, desired, options)).toEqual({ ok: true, status: 201 });
  });
});
