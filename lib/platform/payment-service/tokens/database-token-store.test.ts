import { startFaultyUpstream, type FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { takeLease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { connectionOf } from "@/lib/partners/server/connection";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { databaseTokenStore } from "./database-token-store";
import { testClient } from "@/lib/platform/payment-service/testing/harness";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";

let upstream: FaultyUpstream;
let world: World;
let partner: TestPartner;
let connection: PartnerConnection;

beforeAll(async () => {
  world = await startWorld(async (sandbox) => {
    upstream = await startFaultyUpstream({ sandbox });
    return upstream.url;
  });
});
beforeEach(async () => {
  upstream.setPlan({ rules: [] });
  partner = await world.partner();
  const found = await connectionOf(partner.id, { name: "sandbox", baseUrl: upstream.url });
  if (!found) throw new Error("the partner has no connection");
  connection = found;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});

/** What another process would have: another client, the same database. */
function process(exchangeMs = 8_000) {
  return testClient({ tokenStore: databaseTokenStore({ exchangeMs }) }).api;
}

const options = { requestId: "r-1" };
const unauthorised = { answer: { status: 401, body: '{"error":"unauthorized"}' } };

describe("processes that share a database", () => {
  it("exchange once for all callers of a connection that has no token", async () => {
    const processes = [process(), process(), process()];
    const results = await Promise.all(
      processes.flatMap((api) => Array.from({ length: 10 }, () => api.list(connection, options))),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(upstream.counts()).toMatchObject({ token: 1, list: 30 });
  });

  it("exchange once more when the service takes their token no longer", async () => {
    const [first, second] = [process(), process()];
    await first.list(connection, options);
    await second.list(connection, options);
    const { authorization = "" } = upstream.received().at(-1)?.headers ?? {};
    upstream.setPlan({ rules: [{ kind: "list", authorization, action: unauthorised }] });
    const results = await Promise.all([
      first.list(connection, options),
      second.list(connection, options),
    ]);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(upstream.counts().token).toBe(1);
  });

  it("exchange once when the process that was about to died", async () => {
    await takeLease(`token:${connection.id}:1`, { leaseMs: 400, waitMs: 0 });
    const results = await Promise.all([
      process().list(connection, options),
      process().list(connection, options),
    ]);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(upstream.counts().token).toBe(1);
  });

  it("wait only briefly for one that was killed during its exchange", async () => {
    upstream.setPlan({ rules: [{ kind: "token", times: 1, action: { held: true } }] });
    // Killed, it renews no lock.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    let isOver = false;
    const killed = process()
      .list(connection, options)
      .finally(() => (isOver = true));
    await vi.waitFor(() => expect(upstream.counts().token).toBe(1), { timeout: 10_000 });
    vi.useRealTimers();
    expect((await process().list(connection, options)).ok).toBe(true);
    expect(isOver).toBe(false);
    upstream.release();
    await killed;
  });

  it("do not call again with credentials that another one saw refused", async () => {
    upstream.setPlan({ rules: [{ kind: "token", action: unauthorised }] });
    const fault = { code: "credentials_rejected", upstreamStatus: 401, during: "token" };
    expect(await process().list(connection, options)).toMatchObject({ ok: false, fault });
    expect(await process().list(connection, options)).toMatchObject({ ok: false, fault });
    expect(upstream.counts().token).toBe(1);
  });

  it("forget when one of them is told to, and keep nothing of replaced credentials", async () => {
    const [first, second] = [process(), process()];
    await first.list(connection, options);
    await second.forget(connection.id);
    await first.list(connection, options);
    expect(upstream.counts().token).toBe(2);

    const replaced = { ...connection, version: 2 };
    await second.list(replaced, options);
    expect(upstream.counts().token).toBe(3);
    // A request that began before the replacement gets its token, and does not push the newer one out.
    await first.list(connection, options);
    expect(upstream.counts().token).toBe(4);
    await second.list(replaced, options);
    expect(upstream.counts().token).toBe(4);
  });

  it("measure a token's life on the database's clock: a time of day that jumps ends nothing", async () => {
    await process().list(connection, options);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 60 * 60_000 });
    await process().list(connection, options);
    expect(upstream.counts().token).toBe(1);
  });
});

describe("a stored token", () => {
  const row = () =>
    db()
      .selectFrom("tokens")
      .selectAll()
      .where("connection_id", "=", connection.id)
      .executeTakeFirstOrThrow();

  it("is encrypted (threat: a copy of the database that can call the service)", async () => {
    await process().list(connection, options);
    const { headers } = upstream.received().find(({ kind }) => kind === "list") ?? {};
    const token = headers?.authorization?.slice("Bearer ".length) ?? "";
    expect(token).not.toBe("");
    expect(JSON.stringify(await row())).not.toContain(token);
  });

  it("of another connection is not used (threat: a row that was copied over)", async () => {
    const other = await world.partner();
    const found = await connectionOf(other.id, { name: "sandbox", baseUrl: upstream.url });
    if (!found) throw new Error("the partner has no connection");
    await process().list(connection, options);
    await process().list(found, options);
    const { token_ciphertext } = await row();
    await db()
      .updateTable("tokens")
      .set({ token_ciphertext })
      .where("connection_id", "=", found.id)
      .execute();
    expect(await process().list(found, options)).toMatchObject({ ok: true });
    expect(upstream.counts().token).toBe(3);
  });

  it("is not used past its life", async () => {
    const body = { access_token: "short", token_type: "Bearer", expires_in: 1 };
    upstream.setPlan({
      rules: [
        { kind: "token", action: { answer: { body: JSON.stringify(body) } } },
        { kind: "list", action: { answer: { body: '{"webhooks":[]}' } } },
      ],
    });
    await process().list(connection, options);
    await db()
      .updateTable("tokens")
      .set(({ eb }) => ({ expires_at: eb("expires_at", "-", 1_000) }))
      .where("connection_id", "=", connection.id)
      .execute();
    await process().list(connection, options);
    expect(upstream.counts().token).toBe(2);
  });
});
