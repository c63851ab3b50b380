import { db } from "@/lib/platform/database/open";
import { everyMs, minute, startWatchWorld, type WatchWorld } from "@/lib/watch/testing/world";
import { registerDirectly } from "@/lib/webhooks/testing/direct-call";
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

let watch: WatchWorld;

beforeAll(async () => {
  Object.assign(process.env, {
    ALERTS_URL: "http://127.0.0.1:9/alerts",
    ALERTS_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
  });
  watch = await startWatchWorld();
});
afterAll(() => watch.world.close());
afterEach(async () => {
  await watch.forget();
  await db().deleteFrom("alert_deliveries").execute();
});

const reported = async () =>
  (
    await db()
      .selectFrom("alert_deliveries")
      .select(["kind", "data_json"])
      .orderBy("created_at")
      .execute()
  ).map(({ kind, data_json }) => ({ kind, ...(JSON.parse(data_json) as { partnerId?: string }) }));

it("operators get one alert for a failing service, and none for each of its connections", async () => {
  for (let i = 0; i < 8; i += 1) await watch.world.partner();
  const watcher = watch.watcher();
  await watcher.round();
  await watch.makeDue();
  const action = { answer: { status: 500, body: "{}" } };
  watch.upstream.setPlan({ rules: [{ kind: "list", action }] });
  await watch.pass(10_000, watcher, 1_000);
  await watch.pass(40 * minute, watcher, 10 * minute);
  expect((await reported()).map(({ kind }) => kind)).toEqual(["service_failing"]);
  watch.upstream.setPlan({ rules: [] });
  await watch.pass(2 * minute, watcher, 10_000);
  expect((await reported()).map(({ kind }) => kind)).toEqual([
    "service_failing",
    "service_recovered",
  ]);
});

it("a partner's people get an alert when their connection has failed for half an hour, and when it works again", async () => {
  const failing = await watch.world.partner();
  await watch.world.partner();
  const watcher = watch.watcher();
  failing.setActive(false);
  await watch.pass(everyMs, watcher, minute);
  expect(await reported()).toEqual([]);
  await watch.pass(40 * minute, watcher, minute);
  expect(await reported()).toMatchObject([
    { kind: "connection_failing", partnerId: failing.id, problem: "credentials_rejected" },
  ]);
  failing.setActive(true);
  await db().updateTable("connections").set({ version: 2 }).execute();
  await watch.pass(minute, watcher, 10_000);
  expect((await reported()).map(({ kind }) => kind)).toEqual([
    "connection_failing",
    "connection_recovered",
  ]);
});

it("an outside change that nobody was looking for is reported once", async () => {
  const partner = await watch.world.partner();
  const { url } = watch.world.sandbox;
  await registerDirectly(url, partner, { url: "https://a.example/", authorization: "Bearer a" });
  const watcher = watch.watcher();
  await watch.pass(everyMs + minute, watcher, minute);
  await registerDirectly(url, partner, { url: "https://elsewhere.example/", type: "pix_out" });
  await watch.pass(3 * everyMs, watcher, minute);
  expect(await reported()).toMatchObject([{ kind: "changed_outside", partnerId: partner.id }]);
});
