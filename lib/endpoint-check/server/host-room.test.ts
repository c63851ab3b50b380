import { db } from "@/lib/platform/database/open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { insertPartner } from "@/lib/partners/server/create-partner";
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { consumeHostTurn } from "./host-room";

const start = Date.parse("2026-11-22T12:00:00Z");
const minute = 60_000;
let tests = 0;
let host: string;

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await migratedDatabaseUrl(),
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    PARTNER_API_ENVIRONMENTS: "production=http://127.0.0.1:1",
  });
});
afterAll(() => db().destroy());
beforeEach(() => {
  tests += 1;
  host = `hooks_${tests}.example.com`;
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * As many partners as wanted, each with these hosts in the list of partners; without hosts, it has nothing registered.
 */
async function partners(count: number, ...hosts: string[]): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `p-${randomBytes(6).toString("hex")}`);
  for (const id of ids) {
    await db()
      .transaction()
      .execute((trx) => insertPartner(trx, { id, name: id }));
    if (hosts.length > 0)
      await db()
        .insertInto("partner_overviews")
        .values({
          partner_id: id,
          environment: "production",
          confirmed: 1 as const,
          pix_in_host: hosts[0] ?? null,
          pix_out_host: hosts[1] ?? null,
          without_authorization: "",
          fault_code: null,
          fault_request_id: null,
          failing_since: null,
          base_url: null,
          client_id: null,
        })
        .execute();
  }
  return ids;
}

/** How many of so many attempts of this partner may call the host. */
async function callsOf(id: string, tries: number, isRegistered = false): Promise<number> {
  let calls = 0;
  for (let n = 0; n < tries; n += 1) {
    const refused = await codeOf(consumeHostTurn(`https://${host}:8443/pix`, id, isRegistered));
    if (refused === "nothing") calls += 1;
    else expect(refused).toBe("too_many_requests");
  }
  return calls;
}

async function callsOfAll(ids: readonly string[], tries: number): Promise<number> {
  let calls = 0;
  for (const id of ids) calls += await callsOf(id, tries);
  return calls;
}

it("keeps a partner's part of its own host (threat: strangers use up the checks of a host)", async () => {
  const strangers = await partners(5);
  const [owner = ""] = await partners(1, host);
  expect(await callsOfAll(strangers, 20)).toBe(10);
  expect(await callsOf(owner, 20)).toBe(10);
});

it("keeps it where the service has just said that it is registered, and the list does not know yet", async () => {
  const [owner = "", other = ""] = await partners(2);
  expect(await callsOf(other, 20)).toBe(5);
  expect(await callsOf(owner, 20, true)).toBe(15);
});

it("keeps it from others who register the same host (threat: a stranger registers a host to use up its checks)", async () => {
  const [other = ""] = await partners(1, "elsewhere.example.com", host);
  const [owner = ""] = await partners(1, `${host}:8443`);
  const [stranger = ""] = await partners(1);
  // Five are its part, the other five one partner's maximum of the shared half.
  expect(await callsOf(other, 30)).toBe(10);
  expect(await callsOf(stranger, 30)).toBe(5);
  expect(await callsOf(owner, 30)).toBe(5);
});

it("lets nobody use up the shared half (threat: one partner keeps others from trying an address)", async () => {
  const [one = "", other = ""] = await partners(2);
  expect(await callsOf(one, 30)).toBe(5);
  expect(await callsOf(other, 30)).toBe(5);
});

it("calls a host only so often, whoever names it (threat: a server is flooded with checks)", async () => {
  const all = [...(await partners(12, host)), ...(await partners(4))];
  for (let now = start; now < start + 4 * minute; now += minute) {
    vi.setSystemTime(now);
    expect(await callsOfAll(all, 3)).toBeLessThanOrEqual(20);
  }
});

it("keeps a part where more partners share a host than it is called (threat: many partners register it)", async () => {
  const others = await partners(20, host);
  const [owner = ""] = await partners(1, host);
  let calls = 0;
  for (let now = start; now < start + 3 * minute; now += minute) {
    vi.setSystemTime(now);
    await callsOfAll(others, 3);
    calls += await callsOf(owner, 1);
  }
  expect(calls).toBe(1);
});

it("calls it within an hour so often and no more", async () => {
  const all = [...(await partners(3, host)), ...(await partners(3))];
  let calls = 0;
  for (let now = start; now < start + 60 * minute; now += 4 * minute) {
    vi.setSystemTime(now);
    calls += await callsOfAll(all, 8);
  }
  expect(calls).toBe(240);
});

it("counts registered texts that are no address", async () => {
  const [owner = ""] = await partners(1);
  for (const text of ["not an address\0", "x".repeat(5_000)])
    expect(await codeOf(consumeHostTurn(text, owner, true))).toBe("nothing");
});

it("does not take a host for a similar one", async () => {
  const [, ...alike] = [host, host.replace("_", "x"), `x${host}`, `${host}.example`];
  for (const one of alike) await partners(1, one);
  const [owner = ""] = await partners(1, host);
  const [stranger = ""] = await partners(1);
  await callsOf(stranger, 20);
  // Nobody shares its part.
  expect(await callsOf(owner, 30)).toBe(15);
});
