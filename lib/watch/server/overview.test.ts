import { byStaff } from "@/lib/platform/access/testing/asking";
import type { AttentionLine } from "@/lib/attention/model/partners";
import { listWithAttention } from "@/lib/attention/server/partners";
import { partnerQuerySchema } from "@/lib/partners/model/page";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { aChange } from "@/lib/history/testing/history-world";
import { insert, update } from "@/lib/platform/database/testing/rows";
import { setDatabaseTime } from "@/lib/platform/runtime/database-time";
import { everyMs, minute, startWatchWorld, type WatchWorld } from "@/lib/watch/testing/world";
import { acknowledgeOutside, readConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import type { TestPartner } from "@/lib/webhooks/testing/world";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { untilDone } from "@/lib/platform/runtime/in-flight";
import { storeHours } from "./hours";
import { recordPeoplesReadings } from "./record-reading";
import { readOverview as readOverviewWith } from "./overview";
import type { Watcher } from "./watcher";

const readOverview = byStaff("overview.read", readOverviewWith);

let watch: WatchWorld;
let watcher: Watcher;
let fine: TestPartner;
let changed: TestPartner;
let failing: TestPartner;
let bare: TestPartner;

const register = (partner: TestPartner, url: string, type?: string, authorization?: string) =>
  partner.register({
    url,
    ...(type && { type }),
    ...(authorization && { authorization }),
  });

beforeAll(async () => {
  watch = await startWatchWorld();
  watcher = watch.watcher();
  [fine, changed, failing, bare] = [
    await watch.world.partner("Fine"),
    await watch.world.partner("Changed"),
    await watch.world.partner("Failing"),
    await watch.world.partner("Bare"),
  ];
  for (const partner of [fine, changed, failing])
    await register(partner, "https://a.example/", undefined, "Bearer a");
  await register(bare, "https://bare.example/", "pix_in");
  await watch.pass(everyMs + minute, watcher, minute);
  await register(changed, "https://elsewhere.example/", "pix_out", "Bearer b");
  failing.setActive(false);
  await watch.pass(everyMs + minute, watcher, minute);
});
afterAll(() => watch.world.close());

const listed = async (query: Record<string, string>) => {
  const asked = partnerQuerySchema.parse({ environment: "sandbox", ...query });
  return (await listWithAttention(await requireOwnAccount(), asked)).partners;
};

const needing = (lines: readonly AttentionLine[]) =>
  lines.map(({ name, attention }) => [name, attention.map(({ kind }) => kind)]);

it("shows staff the state of an environment: what is confirmed, fails, was changed, and what needs attention, the worst first", async () => {
  signInAs(await watch.world.staff("support"));
  await storeHours();
  const { hours, attention, ...overview } = await readOverview("sandbox");
  expect(overview).toMatchObject({
    environment: "sandbox",
    everyMinutes: 15,
    takesMinutes: null,
    connections: 4,
    confirmed: 3,
    failing: 1,
    notRead: 0,
    counts: { failing: 1, changed_outside: 1, type_missing: 1, no_authorization: 1 },
    serviceDownSince: null,
    isPaused: false,
  });
  expect(hours).toHaveLength(48);
  const counted = hours.filter(({ readings }) => readings > 0);
  expect(counted.reduce((sum, { readings }) => sum + readings, 0)).toBeGreaterThanOrEqual(8);
  expect(counted.every(({ answerMs }) => answerMs !== null && answerMs > 0)).toBe(true);
  expect(needing(attention)).toEqual([
    ["Changed", ["difference", "exposed"]],
    ["Failing", ["failing"]],
    ["Bare", ["no_value", "not_registered"]],
  ]);
});

it("says how many partners it looked at for what needs attention: where these are few, all", async () => {
  signInAs(await watch.world.staff("support"));
  const { lookedAt, notLookedAt } = await readOverview("sandbox");
  expect({ lookedAt, notLookedAt }).toEqual({ lookedAt: 4, notLookedAt: 0 });
});

it("distinguishes a connection that was never read from one that fails", async () => {
  await watch.world.partner("Unread");
  signInAs(await watch.world.staff("operator"));
  expect(await readOverview(undefined)).toMatchObject({
    connections: 5,
    confirmed: 3,
    failing: 1,
    notRead: 1,
  });
});

it("lists a connection from its first failure on, whatever alerts were sent", async () => {
  const rejected = await watch.world.partner("Rejected");
  rejected.setActive(false);
  signInAs(await rejected.person("viewer"));
  recordPeoplesReadings(watch.clock);
  await expect(readConfiguration(rejected.id, "sandbox", { requestId: "r" })).rejects.toThrow();
  await untilDone(minute);
  signInAs(await watch.world.staff("operator"));
  const { attention, failing } = await readOverview(undefined);
  expect(failing).toBe(2);
  const listed = attention.find(({ id }) => id === rejected.id);
  expect(listed?.failing?.code).toBe("credentials_rejected");
  const slowed = { fault_code: "upstream_rate_limited", failing_since: 1 };
  await update("reading_schedule", slowed, { connection_id: fine.connectionId });
  expect((await readOverview(undefined)).counts.failing).toBe(3);
});

it("the table of partners agrees with the overview about an outside change, until somebody acknowledges it", async () => {
  const support = await watch.world.staff("support");
  const list = async (query: Record<string, string>) => {
    signInAs(support);
    return needing(await listed(query));
  };
  const status = "changed_outside";
  for (const query of [{ status }, { status, sort: "name" }, { search: "Changed" }])
    expect(await list(query)).toEqual([["Changed", ["difference", "exposed"]]]);
  for (const search of [changed.id, "elsewhere.example"])
    expect(await list({ status, search })).toHaveLength(1);
  expect(await list({ status, search: "Fine" })).toEqual([]);
  const names = (await list({ sort: "status" })).map(([name]) => name);
  expect(names.indexOf("Changed")).toBeLessThan(names.indexOf("Failing"));
  expect(names.indexOf("Failing")).toBeLessThan(names.indexOf("Bare"));

  signInAs(await changed.person("editor"));
  const context = { requestId: "answer", clientAddress: "192.0.2.1" };
  const { outside } = await readConfiguration(changed.id, "sandbox", context);
  const changes = (outside ?? []).map(({ id }) => id);
  await acknowledgeOutside(changed.id, "sandbox", { changes }, context);
  recordPeoplesReadings(watch.clock);
  await readConfiguration(changed.id, "sandbox", context);
  await untilDone(minute);
  expect(await list({ status })).toEqual([]);
  expect(await list({ search: "Changed" })).toEqual([["Changed", []]]);
  const { attention, counts } = await readOverview("sandbox");
  expect(counts.changed_outside).toBe(0);
  expect(attention.map(({ name }) => name)).not.toContain("Changed");
});

it("says that the service shows another value, not that the webhook was changed, where the address is the same", async () => {
  const partner = await watch.world.partner("Masked");
  await register(partner, "https://masked.example/", undefined, "Bearer a");
  signInAs(await partner.person("viewer"));
  const context = { requestId: "r", clientAddress: "192.0.2.1" };
  recordPeoplesReadings(watch.clock);
  await readConfiguration(partner.id, "sandbox", context);
  await register(partner, "https://masked.example/", undefined, "Bearer b");
  await readConfiguration(partner.id, "sandbox", context);
  await untilDone(minute);
  signInAs(await watch.world.staff("support"));
  const [line] = await listed({ search: "Masked" });
  expect(line?.attention).toMatchObject([{ kind: "difference", onlyValue: true }]);
});

it("names a change that waits at the last of many partners, and says nothing of those that it did not look at", async () => {
  const many = Array.from({ length: 60 }, (_, at) => `a-fine-${at}`);
  const last = await watch.world.partner("Last");
  await register(last, "https://last.example/", undefined, "Bearer last");
  signInAs(await last.person("viewer"));
  await readConfiguration(last.id, "sandbox", { requestId: "r" });
  await insert("partners", ...many.map((id) => ({ id, name: id, created_at: 1, suspended_at: 1 })));
  await update("partners", { suspended_at: null }, { id: "a-fine-0" });
  const waiting = { state: "waiting", applies_to: "pix_in", author_id: "x" } as const;
  await insert(
    "changes",
    aChange(last.id, { ...waiting, expires_at: Date.now() + 30 * 24 * 60 * minute }),
  );
  signInAs(await watch.world.staff("support"));
  const { attention, lookedAt, notLookedAt } = await readOverview("sandbox");
  const items = attention.find(({ id }) => id === last.id)?.attention;
  expect(items?.map(({ kind }) => kind)).toContain("waiting");
  expect(notLookedAt).toBeGreaterThanOrEqual(59);
  expect(lookedAt).toBeGreaterThan(0);
});

it("counts by the database's time, whatever this machine's clock says", async () => {
  signInAs(await watch.world.staff("operator"));
  const { confirmed, notRead } = await readOverview(undefined);
  expect(confirmed).toBeGreaterThan(0);
  setDatabaseTime(Date.now() - performance.now());
  vi.setSystemTime(Date.now() + 20 * minute);
  expect(await readOverview(undefined)).toMatchObject({ confirmed, notRead });
});
