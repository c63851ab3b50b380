import { configure } from "@/lib/platform/database/testing/configure";
import { forRequests } from "@/lib/platform/database/deadline";
import { db } from "@/lib/platform/database/open";
import { faultyNetwork, type FaultyNetwork } from "@/lib/platform/database/testing/faulty-network";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import {
  answerOf,
  change,
  look,
  origin,
  unavailable,
} from "@/lib/platform/http/testing/small-dashboard";
import { poolUse } from "@/lib/platform/database/postgres";
import { sql } from "kysely";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as getLive } from "@/app/api/health/live/route";
import { GET as getReady } from "./route";

const ready = () => answerOf(getReady);

describe.runIf(process.env["TEST_ENGINE"] === "postgres")("during a failover, Gancho", () => {
  let network: FaultyNetwork;

  beforeAll(async () => {
    const url = await migratedDatabaseUrl();
    network = await faultyNetwork(url);
    await configure({
      GANCHO_URL: origin,
      DATABASE_URL: network.url,
      PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:1",
    });
  });
  beforeEach(async () => {
    await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.05)`.execute(db())));
    expect(await ready()).toMatchObject({ status: 200 });
  });
  afterAll(async () => {
    await db().destroy();
    await network.stop();
  });

  it("replaces silent connections though nothing but a probe met them, which answers within two seconds (threat: an instance that stays dead)", async () => {
    network.swallow({ newOnes: false });
    const [first, joined] = await Promise.all([ready(), ready()]);
    expect(first).toMatchObject({ status: 503, body: { status: "no_database" } });
    expect(joined).toMatchObject({ status: 503 });
    expect(first.ms).toBeLessThan(2_000);
    // What the probe asked may still be answered in the time that any statement has. It began before this.
    await after(forRequests.statementMs);
    expect(await look()).toMatchObject({ status: 200 });
    expect(await ready()).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it("answers one request with 503 and Retry-After, and the next one normally", async () => {
    network.swallow({ newOnes: false });
    const answer = await look();
    expect(answer).toMatchObject(unavailable());
    expect(answer.body).not.toHaveProperty("applied");
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.ms).toBeLessThan(10_000);
    expect(await look()).toMatchObject({ status: 200 });
  });

  it("is live but not ready while no database can be reached, says that nothing was changed, and recovers afterwards", async () => {
    network.swallow({ newOnes: false });
    // The statement was sent, and nobody knows whether it took effect.
    expect(await change()).toMatchObject(unavailable("unknown"));
    network.swallow({ newOnes: true });
    await look();
    for (let times = 0; times < 2; times++) {
      const answer = await ready();
      expect(answer).toMatchObject({ status: 503, body: { status: "no_database" } });
      expect(answer.ms).toBeLessThan(2_000);
    }
    const answers = await Promise.all([change(), change(), look()]);
    expect(answers[0]).toMatchObject(unavailable("no"));
    expect(answers[1]).toMatchObject(unavailable("no"));
    expect(answers[2]).toMatchObject(unavailable());
    expect(await answerOf(getLive)).toMatchObject({ status: 200 });

    network.heal();
    const healed = performance.now();
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 200 }), {
      timeout: 30_000,
    });
    expect(await look()).toMatchObject({ status: 200 });
    expect(performance.now() - healed).toBeLessThan(30_000);
  });

  it("says that it times out once requests do, though the database answers probes and takes their writes, until none has for a while", async () => {
    network.slowBy(6_000, "insert into");
    expect(await change()).toMatchObject(unavailable("unknown"));
    // A connection may have led nowhere.
    expect(await ready()).toMatchObject({ status: 200 });
    expect(await change()).toMatchObject(unavailable("unknown"));
    network.slowBy(0);
    expect(await ready()).toMatchObject({ status: 503, body: { status: "times_out" } });
    const real = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => real() + 29_000);
    expect(await ready()).toMatchObject({ status: 503, body: { status: "times_out" } });
    vi.spyOn(performance, "now").mockImplementation(() => real() + 31_000);
    expect(await ready()).toMatchObject({ status: 200 });
    vi.restoreAllMocks();
  });

  it("is ready while its requests wait for each other, or the database answers them and its probe late (threat: a busy machine that is taken for one without a database)", async () => {
    const busy = Array.from({ length: 20 }, () => sql`select pg_sleep(3)`.execute(db()));
    const waiting = look();
    await vi.waitFor(() => expect(poolUse()).toMatchObject({ busy: 20, waiting: 1 }));
    const answer = await ready();
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.ms).toBeLessThan(2_000);
    await Promise.all([...busy, waiting]);

    network.slowBy(1_500, "works_since");
    const probe = ready();
    expect(await look()).toMatchObject({ status: 200 });
    expect(await probe).toMatchObject({ status: 200 });
    network.slowBy(0);
  });
});
