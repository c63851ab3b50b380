import { isFollowed } from "@/lib/platform/database/tables";
import { GET } from "@/app/api/partners/[partner]/[environment]/webhooks/route";
import type { Rule } from "@/e2e/faulty-upstream/plan";
import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { readTimings } from "@/lib/platform/runtime/timings";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { db } from "@/lib/platform/database/open";
import { followDue } from "@/lib/webhooks/server/save/follow-saves";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { connectionRefOnTrust, readAt } from "./read";
import { readConfiguration, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startFaultyWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";

let upstream: FaultyUpstream;
let world: World;

beforeAll(async () => {
  ({ world, upstream } = await startFaultyWorld());
});
afterAll(() => world.close());
beforeEach(() => {
  upstream.setPlan({ rules: [] });
});

/** A partner whose admin is signed in. */
async function ours(): Promise<TestPartner> {
  const partner = await world.partner();
  signInAs(await partner.person("admin"));
  return partner;
}

function read(partner: TestPartner, signal?: AbortSignal) {
  return readConfiguration(partner.id, "sandbox", { requestId: "r", ...(signal && { signal }) });
}

function save(partner: TestPartner, url: string, revision: string | null = null) {
  const authorization = { action: "replace" as const, value: "Bearer x" };
  const request = { type: "both" as const, url, revision, authorization };
  return saveConfiguration(partner.id, "sandbox", request, { requestId: "s", clientAddress: null });
}

function get({ id }: TestPartner): Promise<Response> {
  const params = Promise.resolve({ partner: id, environment: "sandbox" });
  return GET(new Request("http://localhost:3000/api"), { params });
}

/** As if all of the partner's open saves were due, and nobody else's. */
async function follow({ id }: TestPartner): Promise<void> {
  await db().updateTable("changes").set({ next_look_at: null }).execute();
  const due = db().updateTable("changes").set({ next_look_at: 0 });
  await due.where("partner_id", "=", id).where(isFollowed).execute();
  await followDue();
}

const times = <T>(count: number, work: () => T) => Array.from({ length: count }, work);
const theFirstLook: Rule = { kind: "list", times: 1, action: { held: true } };

async function until(condition: () => boolean) {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000, interval: 5 });
}

const addressesIn = ({ webhooks }: Configuration) => webhooks.map(({ callbackUrl }) => callbackUrl);

/** Until the end of the test; `later` is when the connection may be read again. */
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
  it("is one call of the service for a hundred who ask while it is under way", async () => {
    const partner = await ours();
    upstream.setPlan({ rules: [theFirstLook] });
    const connectionRef = await connectionRefOnTrust(partner.id, "sandbox");
    const reading = Promise.all(times(100, () => readAt(connectionRef, { requestId: "r" })));
    await until(() => upstream.counts().list === 1);
    upstream.release();
    expect((await reading).filter(({ stale }) => !stale)).toHaveLength(100);
    expect(upstream.counts()).toMatchObject({ token: 1, list: 1 });
  });

  it("happens so often and no more: who asks sooner gets the latest reading, with its time (threat: one viewer uses up what the service allows for everybody)", async () => {
    const partner = await ours();
    const { later } = readRarely();
    await read(partner);
    await partner.register({ url: "https://outside.example/" });
    const real = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => real() + 30_000);
    onTestFinished(() => void vi.restoreAllMocks());
    for (const again of [await read(partner), await read(partner)]) {
      expect(addressesIn(again)).toEqual([]);
      expect(again.confirmedAgeMs).toBeGreaterThanOrEqual(30_000);
    }
    expect(upstream.counts().list).toBe(1);
    later();
    expect(addressesIn(await read(partner))).toHaveLength(2);
  });

  it("shows a save that ended after the latest reading, which it has read for itself", async () => {
    const partner = await ours();
    readRarely();
    expect(addressesIn(await read(partner))).toEqual([]);
    const url = "https://mine.example/";
    const { configuration } = await save(partner, url);
    const calls = upstream.counts().list;
    const mine = await read(partner);
    expect(addressesIn(mine)).toEqual([url, url]);
    expect(mine.revision).toBe(configuration?.revision);
    expect(upstream.counts().list).toBe(calls);
  });

  it("goes on when the reader who began it goes away", async () => {
    const partner = await ours();
    upstream.setPlan({ rules: [theFirstLook] });
    const gone = new AbortController();
    const first = read(partner, gone.signal);
    await until(() => upstream.counts().list === 1);
    const second = read(partner);
    gone.abort();
    upstream.release();
    await first.catch(() => undefined);
    expect(await second).toMatchObject({ stale: false });
  });

  it("reads again, instead of putting an older state over that of a save that ended meanwhile", async () => {
    const partner = await ours();
    const url = "https://mine.example/";
    upstream.setPlan({ rules: [theFirstLook] });
    const slow = read(partner);
    await until(() => upstream.counts().list === 1);
    await save(partner, url);
    const mine = read(partner);
    upstream.release();
    for (const answer of [await slow, await mine]) expect(addressesIn(answer)).toEqual([url, url]);
  });

  it("shows the state of a save that ended meanwhile where the reading itself fails", async () => {
    const partner = await ours();
    const { configuration } = await save(partner, "https://before.example/");
    upstream.setPlan({
      rules: [{ ...theFirstLook, action: { held: true, answer: { body: "{}" } } }],
    });
    const slow = read(partner);
    await until(() => upstream.counts().list === 1);
    const url = "https://after.example/";
    await save(partner, url, configuration?.revision);
    upstream.release();
    const answer = await slow;
    expect(answer).toMatchObject({ stale: true, staleReason: { code: "bad_response" } });
    expect(answer.webhooks.map((webhook) => webhook.callbackUrl)).toEqual([url, url]);
  });
});

it("leaves others what the service allows to Gancho as a whole, however often one person asks (threat: a viewer stops the saves of all partners)", async () => {
  const [one, other] = [await world.partner(), await world.partner()];
  const slowDown = { status: 429, headers: { "retry-after": "60" }, body: "{}" };
  upstream.setPlan({ rules: [{ kind: "list", from: 13, action: { answer: slowDown } }] });
  readTimings.betweenReadingsMs = 500;
  onTestFinished(() => {
    readTimings.betweenReadingsMs = 0;
  });
  signInAs(await one.person("viewer"));
  for (const end = performance.now() + 2_000; performance.now() < end;)
    await Promise.all(times(10, () => get(one)));
  expect(upstream.counts().list).toBeLessThanOrEqual(5);
  signInAs(await other.person("editor"));
  expect(await (await get(other)).json()).toMatchObject({ stale: false });
  expect(await save(other, "https://other.example/")).toMatchObject({ outcome: "saved" });
});

it("calls a service no more that asks to slow down, and shows the old state with its time and the reason; a save is tried", async () => {
  const partner = await ours();
  const { configuration } = await save(partner, "https://before.example/");
  const action = { apply: "never", answer: { body: '{"message":"ok"}' } } as const;
  const slowDown = { answer: { status: 429, headers: { "retry-after": "30" }, body: "{}" } };
  upstream.setPlan({
    rules: [
      { kind: "register", times: 1, action },
      { kind: "list", from: 5, times: 1, action: slowDown },
    ],
  });
  const open = "https://open.example/";
  expect(await save(partner, open, configuration?.revision)).toMatchObject({ outcome: "accepted" });
  const calls = upstream.counts().list;
  expect(calls).toBe(4);
  for (const each of [read, read, follow, follow, read]) await each(partner);
  expect(upstream.counts().list).toBe(5);
  const old = await read(partner);
  expect(old).toMatchObject({
    stale: true,
    staleReason: { code: "upstream_rate_limited" },
    openSaves: [{ outcome: "accepted" }],
  });
  expect(old.staleReason?.retryAfter).toBeLessThanOrEqual(30);
  const next = await save(partner, "https://next.example/", old.revision);
  expect(next).toMatchObject({ outcome: "saved" });
  expect(await read(partner)).toMatchObject({ stale: false });
});

describe("a save while a slow service is read", () => {
  it.each<[string, (partner: TestPartner) => Promise<unknown>]>([
    ["a person", read],
    ["the follower", follow],
  ])("does not wait for %s, also where an earlier save is open", async (_who, reading) => {
    const partner = await ours();
    const action = { apply: "never", answer: { body: '{"message":"ok"}' } } as const;
    upstream.setPlan({ rules: [{ kind: "register", action }] });
    expect(await save(partner, "https://open.example/")).toMatchObject({ outcome: "accepted" });
    upstream.setPlan({ rules: [theFirstLook] });
    const slow = reading(partner);
    await until(() => upstream.counts().list === 1);
    const url = "https://next.example/";
    expect(await save(partner, url)).toMatchObject({ outcome: "saved" });
    upstream.release();
    await slow;
    const { webhooks, openSaves, outside } = await read(partner);
    expect(webhooks).toMatchObject([{ callbackUrl: url, lastChange: { by: "The admin" } }, {}]);
    expect({ openSaves, outside }).toEqual({ openSaves: [], outside: undefined });
  });
});

describe("a partner whose service hangs", () => {
  it("holds up no other partner, however many people press reload and save", async () => {
    const slow = await ours();
    // A reading, which everybody else joins, and the one save that has its turn.
    upstream.setPlan({ rules: [{ kind: "list", times: 2, action: { held: true } }] });
    const first = read(slow);
    await until(() => upstream.counts().list === 1);
    const flood = [
      ...times(100, () => read(slow)),
      ...times(15, () => save(slow, "https://slow.example/")),
    ].map((work) => work.catch(() => undefined));
    await until(() => upstream.counts().list === 2);

    const other = await ours();
    const before = upstream.counts().list;
    await read(other);
    expect(await save(other, "https://other.example/")).toMatchObject({ outcome: "saved" });
    expect([before, upstream.counts().list]).toEqual([2, 5]);
    upstream.release();
    await Promise.all([first, ...flood]);
  });

  it("lets a few saves wait for the current one and refuses the rest at once (threat: a flood of clicks)", async () => {
    const partner = await ours();
    const held = await lockConnection(partner.connectionId, 0);
    const codes: unknown[] = [];
    const flood = times(60, () => save(partner, "https://flood.example/")).map(async (work) => {
      codes.push(
        await work.then(
          ({ outcome }) => outcome,
          (error: unknown) => error instanceof ProblemError && error.code,
        ),
      );
    });
    await until(() => codes.length === 44);
    expect(codes).toEqual(times(44, () => "save_in_progress"));
    await held?.release();
    await Promise.all(flood);
    expect(codes.filter((code) => code === "saved")).toHaveLength(1);
    expect(upstream.counts().register).toBe(1);
  });
});
