import type { Rule } from "@/e2e/faulty-upstream/plan";
import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "@/lib/platform/database/open";
import { followDue } from "@/lib/webhooks/server/save/follow-saves";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { connectionRefOnTrust, readAt } from "./read";
import { readConfiguration, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { registerDirectly } from "@/lib/webhooks/testing/direct-call";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startFaultyWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";

vi.mock("@/lib/platform/auth/sessions/read-session", async () => ({
  readSession: (await import("@/lib/webhooks/testing/signed-in")).sessionInTest,
}));

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

/** As if all of the partner's open saves were due. */
async function follow({ id }: TestPartner): Promise<void> {
  await db()
    .updateTable("saves")
    .set({ next_look_at: 0 })
    .where("partner_id", "=", id)
    .where("state", "!=", "closed")
    .execute();
  await followDue();
}

const times = <T>(count: number, work: () => T) => Array.from({ length: count }, work);
const theFirstLook: Rule = { kind: "list", times: 1, action: { held: true } };

async function until(condition: () => boolean) {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000, interval: 5 });
}

describe("reading a connection that others are reading", () => {
  it("is two calls to the service for a hundred readers: one that joins never gets a state from before its request", async () => {
    const partner = await ours();
    upstream.setPlan({ rules: [theFirstLook] });
    // All at the same time: checking access takes each of them as long as the database has others to answer.
    const connectionRef = await connectionRefOnTrust(partner.id, "sandbox");
    const reading = Promise.all(times(100, () => readAt(connectionRef, { requestId: "r" })));
    await until(() => upstream.counts().list === 1);
    upstream.release();
    const answers = await reading;
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBeLessThanOrEqual(2);
    expect(upstream.counts().token).toBe(1);
    expect(upstream.counts().list).toBeLessThanOrEqual(2);
  });

  it("shows nobody what the service held before their request", async () => {
    const partner = await ours();
    const url = "https://outside.example/";
    upstream.setPlan({ rules: [theFirstLook] });
    const before = read(partner);
    await until(() => upstream.counts().list === 1);
    await registerDirectly(world.sandbox.url, partner, { url });
    expect((await read(partner)).webhooks.map((webhook) => webhook.callbackUrl)).toEqual([
      url,
      url,
    ]);
    upstream.release();
    await before;
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

  it("never shows a state from before the reader's own save", async () => {
    const partner = await ours();
    const url = "https://mine.example/";
    upstream.setPlan({ rules: [theFirstLook] });
    let slowEnded = false;
    const slow = read(partner).then((answer) => {
      slowEnded = true;
      return answer;
    });
    await until(() => upstream.counts().list === 1);
    await save(partner, url);
    const mine = await read(partner);
    expect(slowEnded).toBe(false);
    expect(mine.webhooks.map((webhook) => webhook.callbackUrl)).toEqual([url, url]);
    upstream.release();
    // The one that began before reads again, instead of putting an older state over a newer one.
    expect((await slow).webhooks.map((webhook) => webhook.callbackUrl)).toEqual([url, url]);
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
  const noAnswer: Rule["action"] = { held: true, apply: "never", cutAfter: 0, ending: "reset" };

  it("holds up no other partner, however many people press reload and save", async () => {
    const slow = await ours();
    // The first reads are the slow partner's; all its others join or wait behind them.
    upstream.setPlan({
      rules: [{ kind: "list", times: 3, action: noAnswer }],
    });
    let answered = 0;
    const first = read(slow).catch(() => undefined);
    await until(() => upstream.counts().list === 1);
    const flood = [
      ...times(100, () => read(slow).finally(() => (answered += 1))),
      ...times(15, () => save(slow, "https://slow.example/")),
    ].map((work) => work.catch(() => undefined));
    await until(() => upstream.counts().list === 3);

    const other = await ours();
    await read(other);
    await save(other, "https://other.example/");
    expect(answered).toBe(0);
    // Two reads and one save call the service; everybody else of the slow partner waits for them in here.
    expect(
      upstream.received().filter(({ kind, applied }) => kind === "list" && !applied),
    ).toHaveLength(3);
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
