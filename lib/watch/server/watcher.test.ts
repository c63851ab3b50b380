import { historyOf } from "@/lib/history/testing/people-entries";
import { db } from "@/lib/platform/database/open";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { readAt } from "@/lib/webhooks/server/answer/read";
import { loadKnown } from "@/lib/webhooks/server/observe/observed";
import { connectionRefOnTrust } from "@/lib/webhooks/server/observe/reading";
import type { TestPartner } from "@/lib/webhooks/testing/world";
import {
  everyMs,
  minute,
  readingsOf,
  startWatchWorld,
  turnOfPartner,
  type WatchWorld,
} from "@/lib/watch/testing/world";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { insert, update } from "@/lib/platform/database/testing/rows";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { untilDone } from "@/lib/platform/runtime/in-flight";
import { storeHours } from "./hours";
import { recordPeoplesReadings } from "./record-reading";

let watch: WatchWorld;

beforeAll(async () => {
  Object.assign(process.env, {
    ALERTS_URL: "http://127.0.0.1:9/alerts",
    ALERTS_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
  });
  watch = await startWatchWorld();
  recordPeoplesReadings(watch.clock);
});
afterAll(() => watch.world.close());
afterEach(async () => {
  await untilDone(minute);
  await watch.forget();
  await db().deleteFrom("alert_deliveries").execute();
});

/** The alerts that are to be sent, oldest first. */
const raised = async () =>
  (
    await db()
      .selectFrom("alert_deliveries")
      .select(["kind", "data_json"])
      .orderBy("created_at")
      .execute()
  ).map(({ kind, data_json }) => ({ kind, ...(JSON.parse(data_json) as object) }));

const newPartner = () => watch.world.partner();
const partners = (count: number) => Promise.all(Array.from({ length: count }, newPartner));

/** A person's reading, after the access check. */
const readByPerson = async (partner: TestPartner) => {
  const connectionRef = await connectionRefOnTrust(partner.id, "sandbox");
  const known = await loadKnown(db(), connectionRef);
  const secondPeople = { isRequired: false, isAwaited: false };
  return readAt({ connectionRef, known, secondPeople }, { requestId: "look" });
};

const service500 = { kind: "list", action: { answer: { status: 500, body: "{}" } } } as const;

describe("the schedule", () => {
  it("every connection is read once in each period, and none twice", async () => {
    const all = await partners(6);
    const watcher = watch.watcher();
    watch.upstream.setPlan({ rules: [] });
    await watch.pass(everyMs + minute, watcher, 30_000);
    expect(readingsOf(all)).toEqual(all.map(() => expect.toBeOneOf([1, 2])));
    await watch.pass(3 * everyMs, watcher, 30_000);
    const readings = readingsOf(all);
    // Four periods and a minute. Each first reading was drawn at random within the first period.
    expect(readings.every((count) => count === 4 || count === 5)).toBe(true);
    expect(watch.lists()).toBe(readings.reduce((sum, count) => sum + count, 0));
    expect(await raised()).toEqual([]);
  });

  it("spreads readings over the period, and not all at once", async () => {
    await partners(40);
    await watch.watcher().round();
    const rows = await db().selectFrom("reading_schedule").select("due_at").execute();
    const now = await watch.clock.steady();
    const quarters = [0, 1, 2, 3].map(
      (at) => rows.filter(({ due_at }) => Math.floor((4 * (due_at - now)) / everyMs) === at).length,
    );
    expect(quarters.reduce((sum, count) => sum + count, 0)).toBe(40);
    // Fails by chance in fewer than one of ten thousand runs.
    expect(Math.min(...quarters)).toBeGreaterThan(0);
  });
});

describe("failing connections", () => {
  it("one that keeps failing is read after a quarter of an hour, an hour, six hours, and reported once after half an hour", async () => {
    const failing = await newPartner();
    await newPartner();
    const watcher = watch.watcher();
    failing.setActive(false);
    await readByPerson(failing).catch(() => undefined);
    await untilDone(minute);
    const asked: number[] = [];
    const start = await watch.clock.steady();
    for (let before = 1; asked.length < 3;) {
      await watch.pass(3 * minute, watcher, 3 * minute);
      const [now = 0] = readingsOf([failing]);
      if (now > before) asked.push(((await watch.clock.steady()) - start) / minute);
      before = now;
    }
    const [first = 0, second = 0, third = 0] = asked;
    expect(first).toBeGreaterThanOrEqual(13);
    expect(first).toBeLessThanOrEqual(21);
    expect(second - first).toBeGreaterThanOrEqual(53);
    expect(second - first).toBeLessThanOrEqual(72);
    expect(third - second).toBeGreaterThanOrEqual(320);
    expect(third - second).toBeLessThanOrEqual(403);
    const reported = expect.objectContaining({
      kind: "connection_failing",
      partnerId: failing.id,
      environment: "sandbox",
      problem: "credentials_rejected",
    });
    expect(await raised()).toEqual([reported]);

    failing.setActive(true);
    // For half a minute a rejection is remembered without another call.
    partnerApi().forget(failing.connectionId);
    await readByPerson(failing);
    await untilDone(minute);
    expect(await raised()).toEqual([
      reported,
      expect.objectContaining({ kind: "connection_recovered" }),
    ]);
    // A person's reading schedules another within a period.
    expect((await turnOfPartner(failing)).due_at).toBeLessThanOrEqual(
      (await watch.clock.steady()) + everyMs,
    );
  });

  it("one whose stored state is damaged does not keep others from being read", async () => {
    const damaged = await newPartner();
    const fine = await partners(2);
    const watcher = watch.watcher();
    await watch.pass(everyMs, watcher, minute);
    const { connectionId: connection_id } = damaged;
    await update("confirmed_configurations", { remote_json: "{}" }, { connection_id });
    const before = readingsOf(fine);
    await watch.pass(everyMs, watcher, minute);
    const after = readingsOf(fine);
    // A reading comes up to a fiftieth of a period early, so twice in this one where it came at its very beginning.
    const added = after.map((count, at) => count - (before[at] ?? 0));
    expect(added).toEqual(fine.map(() => expect.toBeOneOf([1, 2])));
  });

  it("one whose credentials were changed is read at once", async () => {
    const failing = await newPartner();
    const watcher = watch.watcher();
    failing.setActive(false);
    await watch.pass(2 * everyMs, watcher, minute);
    const [before = 0] = readingsOf([failing]);
    expect(before).toBeGreaterThan(0);
    failing.setActive(true);
    await update("connections", { version: 2 });
    await watch.pass(2_000, watcher, 1_000);
    expect(readingsOf([failing])).toEqual([before + 1]);
    expect((await turnOfPartner(failing)).failures).toBe(0);
  });

  it("one that fails no more as another client is reported as recovered", async () => {
    const failing = await newPartner();
    const watcher = watch.watcher();
    failing.setActive(false);
    await watch.pass(4 * everyMs, watcher, minute);
    failing.setActive(true);
    partnerApi().forget(failing.connectionId);
    await update("reading_schedule", { client_id: "the client before" });
    await watch.makeDue();
    await watch.pass(2_000, watcher, 1_000);
    const kinds = (await raised()).map(({ kind }) => kind);
    expect(kinds).toEqual(["connection_failing", "connection_recovered"]);
  });
});

describe("the service as a whole", () => {
  it.each([1, 2, 6])(
    "one that goes down is reported within a minute, where %i connections are seldom due (threat: an outage that people find first)",
    async (count) => {
      await partners(count);
      const watcher = watch.watcher(minute / 2);
      await watch.pass(everyMs, watcher);
      watch.upstream.setPlan({ rules: [service500] });
      await watch.pass(minute, watcher, 1_000);
      expect(await raised()).toMatchObject([{ kind: "service_failing" }]);
    },
  );

  it("one that answers is asked twice a minute at most before anything is due, over each connection in turn, and never over one that fails for a reason of its own", async () => {
    const all = await partners(3);
    const [failing] = all;
    failing?.setActive(false);
    const watcher = watch.watcher(minute / 2);
    await watch.pass(everyMs, watcher);
    const before = readingsOf(all);
    await watch.pass(6 * minute, watcher);
    const [ofFailing = 0, ...others] = readingsOf(all).map(
      (count, at) => count - (before[at] ?? 0),
    );
    expect(ofFailing).toBeLessThanOrEqual(1);
    for (const count of others) expect(Math.abs(count - 6)).toBeLessThanOrEqual(2);
    // A period later all of them are due again, and none much later.
    const rows = await db().selectFrom("reading_schedule").select("due_at").execute();
    const latest = Math.max(...rows.map(({ due_at }) => due_at)) - (await watch.clock.steady());
    expect(latest).toBeLessThanOrEqual(72 * minute);
  });

  it("one that does not answer is tried once a minute, reported once, and overdue readings are spread when it is back", async () => {
    await partners(20);
    const watcher = watch.watcher();
    await watch.pass(everyMs, watcher);
    watch.upstream.setPlan({ rules: [service500] });
    await watch.makeDue();
    await watch.pass(10_000, watcher, 1_000);
    expect(await raised()).toMatchObject([
      { kind: "service_failing", environment: "sandbox", problem: "upstream_unavailable" },
    ]);

    // Each reading tries three times.
    watch.upstream.setPlan({ rules: [service500] });
    await watch.pass(5 * minute, watcher, 10_000);
    expect(watch.lists()).toBeLessThanOrEqual(3 * 6);
    expect(watch.lists()).toBeGreaterThanOrEqual(3 * 4);
    await watch.pass(50 * minute, watcher, 10 * minute);

    watch.upstream.setPlan({ rules: [] });
    await watch.pass(minute + 5_000, watcher);
    const backlog = watch.lists();
    const kinds = async () => (await raised()).map(({ kind }) => kind);
    expect(await kinds()).toEqual(["service_failing", "service_recovered"]);
    await watch.pass(10_000, watcher, 1_000);
    // All twenty are due; at most one a second is read.
    expect(watch.lists() - backlog).toBeLessThanOrEqual(12);
    await watch.pass(minute, watcher);
    const rows = await db().selectFrom("reading_schedule").select("failing_since").execute();
    expect(rows.every(({ failing_since }) => failing_since === null)).toBe(true);
    expect(await kinds()).toHaveLength(2);
  });

  it("one that fails now and then is reported once in half an hour, unless it stays down", async () => {
    await partners(6);
    const watcher = watch.watcher();
    const kinds = async () => (await raised()).map(({ kind }) => kind);
    const goDown = async () => {
      watch.upstream.setPlan({ rules: [service500] });
      await watch.makeDue();
      await watch.pass(10_000, watcher, 1_000);
    };
    await watcher.round();
    for (let times = 0; times < 5; times += 1) {
      await goDown();
      watch.upstream.setPlan({ rules: [] });
      await watch.pass(2 * minute, watcher, 20_000);
    }
    const once = ["service_failing", "service_recovered"];
    expect(await kinds()).toEqual(once);
    await goDown();
    expect(await kinds()).toEqual(once);
    await watch.pass(6 * minute, watcher, minute);
    expect(await kinds()).toEqual([...once, "service_failing"]);
    watch.upstream.setPlan({ rules: [] });
    await watch.pass(2 * minute, watcher, minute);
    expect(await kinds()).toEqual([...once, ...once]);
  });

  it("one that slows down a client for long is read for the others without a pause (threat: a partner gets itself rate limited to stop the watch)", async () => {
    const [slowed] = await partners(6);
    const watcher = watch.watcher();
    await watcher.round();
    await watch.makeDue();
    const due_at = (await watch.clock.steady()) - minute;
    const known = { fault_code: "upstream_rate_limited", due_at };
    await update("reading_schedule", known, { connection_id: slowed?.connectionId ?? "" });
    const answer = { status: 429, headers: { "retry-after": "3600" }, body: "{}" };
    watch.upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { answer } }] });
    await watch.pass(10_000, watcher, 1_000);
    expect(watch.lists()).toBe(6);
  });

  it("one that asks to slow down again is left alone for as long as it says", async () => {
    await partners(6);
    const watcher = watch.watcher();
    await watcher.round();
    await watch.makeDue();
    const answer = { status: 429, headers: { "retry-after": "120" }, body: "{}" };
    watch.upstream.setPlan({ rules: [{ kind: "list", times: 2, action: { answer } }] });
    await watch.pass(1_000, watcher, 1_000);
    expect(watch.lists()).toBe(1);
    await watch.pass(55_000, watcher);
    expect(watch.lists()).toBe(1);
    await watch.pass(10_000, watcher, 1_000);
    expect(watch.lists()).toBe(2);
    await watch.pass(105_000, watcher);
    expect(watch.lists()).toBe(2);
    await watch.pass(60_000, watcher, 1_000);
    expect(watch.lists()).toBe(8);
    expect(await raised()).toEqual([]);
  });

  it("one connection that people read repeatedly does not stop the others", async () => {
    const one = await newPartner();
    await partners(7);
    await watch.watcher().round();
    watch.upstream.setPlan({ rules: [service500] });
    for (let times = 0; times < 6; times += 1) await readByPerson(one).catch(() => undefined);
    await untilDone(minute);
    const services = await db().selectFrom("watch_services").select("down_since").execute();
    expect(services.every(({ down_since }) => down_since === null)).toBe(true);
  });
});

describe("a reading's findings", () => {
  it("an outside change is found within one period, recorded once, and kept with its time", async () => {
    const partner = await newPartner();
    await partner.register({ url: "https://a.example/", authorization: "Bearer a" });
    const watcher = watch.watcher();
    await watch.pass(everyMs + minute, watcher, minute);
    await partner.register({ url: "https://b.example/", type: "pix_out" });
    await watch.pass(3 * everyMs, watcher, minute);
    const entries = await historyOf(partner.id);
    expect(entries).toMatchObject([{ kind: "changed_outside", types: "pix_out" }]);
    expect((await turnOfPartner(partner)).outside_at).not.toBeNull();
    expect(await raised()).toMatchObject([{ kind: "changed_outside", partnerId: partner.id }]);
  });

  it("people's readings count, too, without further calls", async () => {
    const partner = await newPartner();
    await readByPerson(partner);
    await untilDone(minute);
    await storeHours();
    const [hour] = await db().selectFrom("watch_hours").selectAll().execute();
    expect(hour).toMatchObject({ environment: "sandbox", readings: 1, failed: 0, answered: 1 });
  });

  it("a person's reading that shows nothing new says that all is confirmed, and moves no turn", async () => {
    const partner = await newPartner();
    await watch.pass(everyMs + minute, watch.watcher(), minute);
    const before = await turnOfPartner(partner);
    await storeHours();
    await db().deleteFrom("watch_hours").execute();
    await readByPerson(partner);
    await untilDone(minute);
    const after = await turnOfPartner(partner);
    expect(after).toEqual({ ...before, confirmed_at: after.confirmed_at });
    expect(after.confirmed_at).toBeGreaterThanOrEqual(before.confirmed_at ?? 0);
    await storeHours();
    const [hour] = await db().selectFrom("watch_hours").selectAll().execute();
    expect(hour).toMatchObject({ readings: 1, failed: 0, answered: 1 });
  });

  it("figures of the hour that could not be stored are stored later", async () => {
    await storeHours();
    await db().deleteFrom("watch_hours").execute();
    const partner = await newPartner();
    await readByPerson(partner);
    await untilDone(minute);
    await sql`alter table watch_hours rename to watch_hours_away`.execute(db());
    await storeHours();
    await sql`alter table watch_hours_away rename to watch_hours`.execute(db());
    await storeHours();
    await storeHours();
    expect(await db().selectFrom("watch_hours").select("readings").execute()).toEqual([
      { readings: 1 },
    ]);
  });

  it("a person's answered reading ends the service's faults", async () => {
    const partner = await newPartner();
    await readByPerson(partner);
    await untilDone(minute);
    const { baseUrl: base_url } = (await connectionRefOnTrust(partner.id, "sandbox")).connection;
    await db().deleteFrom("watch_services").execute();
    const state = { environment: "sandbox", base_url, paused_until: 0, down_since: null };
    await insert("watch_services", { ...state, faults: 3 });
    await readByPerson(partner);
    await untilDone(minute);
    const [service] = await db().selectFrom("watch_services").selectAll().execute();
    expect(service).toEqual({ ...state, faults: 0 });
  });

  it("hours that the Overview no longer shows are deleted", async () => {
    const hour = Math.floor(Date.now() / 3_600_000);
    const row = { environment: "sandbox", readings: 1, failed: 0, answered: 1, answer_ms: 1 };
    await insert("watch_hours", { hour: hour - 48, ...row }, { hour: hour - 47, ...row });
    await watch.watcher().round();
    const kept = await db().selectFrom("watch_hours").select("hour").execute();
    expect(kept).toEqual([{ hour: hour - 47 }]);
  });
});
