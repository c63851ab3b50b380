import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readTimings } from "@/lib/platform/runtime/timings";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { update } from "@/lib/platform/database/testing/rows";
import { followDue } from "@/lib/webhooks/server/save/follow-saves";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import { connectionRefOnTrust, readAt } from "./read";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  forgotten,
  heldReading,
  inWorld,
  listing,
  nextPartner,
  partner,
  plan,
  read,
  save,
  sentAgo,
  upstream,
} from "@/lib/webhooks/testing/in-world";

inWorld();

const saveBoth = (url: string, revision: string | null = null) =>
  save({ type: "both", url, revision });

/** Follows this partner's open saves as if they were due. */
async function follow(): Promise<void> {
  await update("changes", { next_check_at: null });
  await sentAgo(1_000);
  await followDue();
}

const times = <T>(count: number, work: () => T) => Array.from({ length: count }, work);

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000, interval: 5 });

const addressesIn = ({ webhooks }: Configuration) => webhooks.map(({ callbackUrl }) => callbackUrl);

/** Limits readings until the end of the test; `later` lets the connection be read again. */
function readRarely(): { later: () => void } {
  readTimings.betweenReadingsMs = 60_000;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => {
    readTimings.betweenReadingsMs = 0;
    vi.useRealTimers();
  });
  return { later: () => vi.advanceTimersByTime(60_000) };
}

describe("reading a connection for people", () => {
  it("is one call of the service for a hundred concurrent requests", async () => {
    plan(heldReading);
    const connectionRef = await connectionRefOnTrust(partner.id, "sandbox");
    const reading = Promise.all(times(100, () => readAt(connectionRef, { requestId: "r" })));
    await until(() => upstream.counts().list === 1);
    upstream.release();
    expect((await reading).filter(({ stale }) => !stale)).toHaveLength(100);
    expect(upstream.counts()).toMatchObject({ token: 1, list: 1 });
  });

  it("is rate limited: a request that comes sooner gets the latest reading, with its time (threat: one viewer uses up the service's rate limit for everybody)", async () => {
    const { later } = readRarely();
    await read();
    await partner.register({ url: "https://outside.example/" });
    const real = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => real() + 30_000);
    onTestFinished(() => void vi.restoreAllMocks());
    for (const again of [await read(), await read()]) {
      expect(addressesIn(again)).toEqual([]);
      expect(again.confirmedAgeMs).toBeGreaterThanOrEqual(30_000);
    }
    expect(upstream.counts().list).toBe(1);
    later();
    expect(addressesIn(await read())).toHaveLength(2);
  });

  it("shows a save that ended after the latest reading", async () => {
    readRarely();
    expect(addressesIn(await read())).toEqual([]);
    const url = "https://mine.example/";
    const { configuration } = await saveBoth(url);
    const calls = upstream.counts().list;
    const mine = await read();
    expect(addressesIn(mine)).toEqual([url, url]);
    expect(mine.revision).toBe(configuration?.revision);
    expect(upstream.counts().list).toBe(calls);
  });

  it("reads again instead of overwriting the state of a save that ended meanwhile", async () => {
    const url = "https://mine.example/";
    plan(heldReading);
    const slow = read();
    await until(() => upstream.counts().list === 1);
    await saveBoth(url);
    const mine = read();
    upstream.release();
    for (const answer of [await slow, await mine]) expect(addressesIn(answer)).toEqual([url, url]);
  });

  it("shows the state of a save that ended meanwhile where the reading itself fails", async () => {
    const { configuration } = await saveBoth("https://before.example/");
    plan({ ...heldReading, action: { held: true, answer: { body: "{}" } } });
    const slow = read();
    await until(() => upstream.counts().list === 1);
    const url = "https://after.example/";
    await saveBoth(url, configuration?.revision);
    upstream.release();
    const answer = await slow;
    expect(answer).toMatchObject({ stale: true, staleReason: { code: "bad_response" } });
    expect(addressesIn(answer)).toEqual([url, url]);
  });
});

it("stops calling a service that asks to slow down, and shows the old state with its time and the reason; a save is still tried", async () => {
  const { configuration } = await saveBoth("https://before.example/");
  const slowDown = { status: 429, headers: { "retry-after": "30" } };
  plan(forgotten, listing(slowDown, { from: 5, times: 1 }));
  const open = "https://open.example/";
  expect(await saveBoth(open, configuration?.revision)).toMatchObject({ outcome: "accepted" });
  expect(upstream.counts().list).toBe(4);
  for (const each of [read, read, follow, follow, read]) await each();
  expect(upstream.counts().list).toBe(5);
  const old = await read();
  expect(old).toMatchObject({
    stale: true,
    staleReason: { code: "upstream_rate_limited" },
    openSaves: [{ outcome: "accepted" }],
  });
  expect(old.staleReason?.retryAfter).toBeLessThanOrEqual(30);
  const next = await saveBoth("https://next.example/", old.revision);
  expect(next).toMatchObject({ outcome: "saved" });
  expect(await read()).toMatchObject({ stale: false });
});

it.each<[string, () => Promise<unknown>]>([
  ["a person", read],
  ["the follower", follow],
])(
  "a save does not wait while a slow service is read by %s, also where an earlier save is open",
  async (_who, reading) => {
    plan(forgotten);
    expect(await saveBoth("https://open.example/")).toMatchObject({ outcome: "accepted" });
    plan(heldReading);
    const slow = reading();
    await until(() => upstream.counts().list === 1);
    const url = "https://next.example/";
    expect(await saveBoth(url)).toMatchObject({ outcome: "saved" });
    upstream.release();
    await slow;
    const { webhooks, openSaves, outside } = await read();
    expect(webhooks).toMatchObject([{ callbackUrl: url, lastChange: { by: "The admin" } }, {}]);
    expect({ openSaves, outside }).toEqual({ openSaves: [], outside: undefined });
  },
);

describe("a partner whose service hangs", () => {
  it("delays no other partner, however many people reload and save", async () => {
    // One reading, which all others share, and the one save that holds the lock.
    plan({ ...heldReading, times: 2 });
    const first = read();
    await until(() => upstream.counts().list === 1);
    const flood = [
      ...times(100, () => read()),
      ...times(15, () => saveBoth("https://slow.example/")),
    ];
    await until(() => upstream.counts().list === 2);

    await nextPartner();
    signInAs(await partner.person("admin"));
    await read();
    expect(await saveBoth("https://other.example/")).toMatchObject({ outcome: "saved" });
    expect(upstream.counts().list).toBe(5);
    upstream.release();
    await Promise.allSettled([first, ...flood]);
  });

  it("lets a few saves wait for the current one and refuses the rest at once (threat: a flood of clicks)", async () => {
    const held = await lockConnection(partner.connectionId, 0);
    const codes: unknown[] = [];
    const flood = times(60, () => saveBoth("https://flood.example/")).map(async (saving) =>
      codes.push((await saving).outcome),
    );
    await until(() => codes.length === 44);
    expect(codes).toEqual(times(44, () => "save_in_progress"));
    await held?.release();
    await Promise.all(flood);
    expect(codes.filter((code) => code === "saved")).toHaveLength(1);
    expect(upstream.counts().register).toBe(1);
  });
});

it.each([
  ["a name of 1,500 letters", `https://${"a".repeat(1_500)}.example/pix`],
  ["a name that is longer in ASCII", `https://${"漢字假名交じり文章".repeat(25)}.example/pix`],
  ["a character that PostgreSQL cannot store", "no address\u0000"],
  ["control characters and reversed text", "no\r\naddress \u202e\u0007"],
  ["a long text that is no address", "😀".repeat(1_000)],
])(
  "reads %s instead of a callback, and reports it (threat: an outside change that makes every reading fail)",
  async (_what, callbackUrl) => {
    for (const callback_url of ["https://hooks.example.com/pix", callbackUrl]) {
      const body = JSON.stringify({ webhooks: [{ type: "pix_in", callback_url }] });
      plan(listing({ status: 200, body }));
      await read();
    }
    const { webhooks, outside } = await read();
    expect(webhooks).toMatchObject([{ type: "pix_in", callbackUrl }]);
    expect(outside).toMatchObject([{ after: { callbackUrl } }]);
  },
);
