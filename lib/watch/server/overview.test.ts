import { db } from "@/lib/platform/database/open";
import { byStaff, inPartner } from "@/lib/platform/access/testing/asking";
import { partnerQuerySchema } from "@/lib/partners/model/page";
import { statesOf } from "@/lib/partners/model/partner-state";
import { listPartners } from "@/lib/partners/testing/with-access";
import { bandSchema } from "@/lib/watch/model/band";
import { overviewSchema } from "@/lib/watch/model/overview";
import { everyMs, minute, startWatchWorld, type WatchWorld } from "@/lib/watch/testing/world";
import { acknowledgeOutside, readConfiguration } from "@/lib/webhooks/testing/with-access";
import { registerDirectly } from "@/lib/webhooks/testing/direct-call";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import type { TestPartner } from "@/lib/webhooks/testing/world";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordReadings, flushReadings } from "./reading-log";
import { readBand as readBandWith } from "./band";
import { readOverview as readOverviewWith } from "./overview";
import type { Watcher } from "./watcher";

const readOverview = byStaff("overview.read", readOverviewWith);
const readBand = inPartner("webhooks.read", readBandWith);

let watch: WatchWorld;
let worker: Watcher;
let fine: TestPartner;
let changed: TestPartner;
let failing: TestPartner;
let bare: TestPartner;

const register = (partner: TestPartner, url: string, type?: string, authorization?: string) =>
  registerDirectly(watch.world.sandbox.url, partner, {
    url,
    ...(type && { type }),
    ...(authorization && { authorization }),
  });

beforeAll(async () => {
  watch = await startWatchWorld();
  worker = watch.worker("one");
  [fine, changed, failing, bare] = [
    await watch.world.partner("Fine"),
    await watch.world.partner("Changed"),
    await watch.world.partner("Failing"),
    await watch.world.partner("Bare"),
  ];
  for (const partner of [fine, changed, failing])
    await register(partner, "https://a.example/", undefined, "Bearer a");
  await register(bare, "https://bare.example/", "pix_in");
  await watch.pass(everyMs + minute, [worker], minute);
  await register(changed, "https://elsewhere.example/", "pix_out", "Bearer b");
  failing.setActive(false);
  await watch.pass(everyMs + minute, [worker], minute);
});
afterAll(() => watch.world.close());

it("shows staff the state of an environment: what is confirmed, fails, was changed, and what needs attention, oldest first", async () => {
  signInAs(await watch.world.staff("support"));
  const overview = overviewSchema.parse(await readOverview({ environment: "sandbox" }));
  expect(overview).toMatchObject({
    environment: "sandbox",
    everyMinutes: 15,
    takesMinutes: null,
    connections: 4,
    confirmed: 3,
    failing: 1,
    notRead: 0,
    failingSinceToday: 1,
    changedOutside: 1,
    unanswered: 1,
    madeUpUntil: null,
    withoutAuthorization: 1,
    serviceDownSince: null,
    isPaused: false,
    nextCursor: null,
  });
  expect(overview.hours).toHaveLength(48);
  const counted = overview.hours.filter(({ readings }) => readings > 0);
  expect(counted.reduce((sum, { readings }) => sum + readings, 0)).toBeGreaterThanOrEqual(8);
  expect(counted.reduce((sum, hour) => sum + hour.changedOutside, 0)).toBe(1);
  expect(counted.every(({ p95Ms }) => p95Ms !== null && p95Ms > 0)).toBe(true);
  const kinds = Object.fromEntries(
    overview.attention.map(({ partner, reasons }) => [
      partner.name,
      reasons.map(({ kind }) => kind),
    ]),
  );
  expect(kinds).toEqual({
    Bare: ["type_missing", "no_authorization"],
    Changed: ["changed_outside"],
    Failing: ["failing"],
  });
  const moments = overview.attention.map(({ since }) => since);
  expect(moments).toEqual([...moments].sort());
  const [line] = overview.attention;
  expect(line).toMatchObject({ partner: { id: bare.id }, reasons: [{ types: ["pix_out"] }, {}] });
});

it("goes on behind a line, and each line comes once", async () => {
  const all = await readOverview({ environment: "sandbox" });
  const [first] = all.attention;
  const row = await db()
    .selectFrom("watch_turns")
    .select(["connection_id", "attention_since"])
    .where("connection_id", "=", bare.connectionId)
    .executeTakeFirstOrThrow();
  const next = await readOverview({
    environment: "sandbox",
    cursor: `${row.attention_since}~${row.connection_id}`,
  });
  expect(first?.partner.id).toBe(bare.id);
  expect(next.attention).toEqual(all.attention.slice(1));
});

it("a band has a tick for each of sixty days, of each type, the worst of the day", async () => {
  signInAs(await changed.person("viewer"));
  const band = bandSchema.parse(await readBand(changed.id, "sandbox"));
  expect(band.days).toHaveLength(60);
  expect(band.days.at(-1)?.states).toEqual({ pix_in: "confirmed", pix_out: "changed_outside" });
  expect(band.days.at(0)?.states).toEqual({ pix_in: "not_read", pix_out: "not_read" });
  signInAs(await failing.person("viewer"));
  const { days } = await readBand(failing.id, "sandbox");
  expect(days.at(-1)).toMatchObject({ states: { pix_in: "failing", pix_out: "failing" } });
  expect(days.at(-1)?.failed).toBeGreaterThan(0);
  await expect(readBand(changed.id, "sandbox")).rejects.toMatchObject({ code: "not_found" });
  await expect(readBand(failing.id, "nowhere")).rejects.toMatchObject({ code: "not_found" });
});

it("tells a connection that nobody has read yet from one that fails", async () => {
  await watch.world.partner("Unread");
  signInAs(await watch.world.staff("operator"));
  expect(await readOverview({})).toMatchObject({
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
  recordReadings();
  await expect(readConfiguration(rejected.id, "sandbox", { requestId: "r" })).rejects.toThrow();
  await flushReadings(watch.clock);
  signInAs(await watch.world.staff("operator"));
  const { attention, failing } = await readOverview({});
  expect(failing).toBe(2);
  expect(attention.find(({ partner }) => partner.id === rejected.id)?.reasons).toMatchObject([
    { kind: "failing", code: "credentials_rejected" },
  ]);
});

it("the table of partners agrees with the overview about an outside change, until somebody acknowledges it", async () => {
  const support = await watch.world.staff("support");
  const list = async (query: Record<string, string>) => {
    signInAs(support);
    const { partners } = await listPartners(
      partnerQuerySchema.parse({ environment: "sandbox", ...query }),
    );
    return partners.map((partner) => [partner.name, statesOf(partner).map(({ kind }) => kind)]);
  };
  const status = "changed_outside";
  for (const query of [{ status }, { status, sort: "name" }, { search: "Changed" }])
    expect(await list(query)).toEqual([["Changed", ["changed_outside"]]]);
  for (const search of [changed.id, "elsewhere.example"])
    expect(await list({ status, search })).toHaveLength(1);
  expect(await list({ status, search: "Fine" })).toEqual([]);
  const names = (await list({ sort: "status" })).map(([name]) => name);
  expect(names.indexOf("Changed")).toBeGreaterThan(names.indexOf("Failing"));
  expect(names.indexOf("Changed")).toBeLessThan(names.indexOf("Bare"));

  signInAs(await changed.person("editor"));
  const context = { requestId: "answer", clientAddress: "192.0.2.1" };
  const { outside } = await readConfiguration(changed.id, "sandbox", context);
  const changes = (outside ?? []).map(({ id }) => id);
  await acknowledgeOutside(changed.id, "sandbox", { changes }, context);
  recordReadings();
  await readConfiguration(changed.id, "sandbox", context);
  await flushReadings(watch.clock);
  expect(await list({ status })).toEqual([]);
  expect(await list({ search: "Changed" })).toEqual([["Changed", ["healthy"]]]);
  const { attention, unanswered } = await readOverview({ environment: "sandbox" });
  expect(unanswered).toBe(0);
  expect(attention.map(({ partner }) => partner.name)).not.toContain("Changed");
});

it("says that the service shows another value, not that the webhook was changed, where the address is the same", async () => {
  const partner = await watch.world.partner("Masked");
  await register(partner, "https://masked.example/", undefined, "Bearer a");
  signInAs(await partner.person("viewer"));
  const context = { requestId: "r", clientAddress: "192.0.2.1" };
  recordReadings();
  await readConfiguration(partner.id, "sandbox", context);
  await register(partner, "https://masked.example/", undefined, "Bearer b");
  await readConfiguration(partner.id, "sandbox", context);
  await flushReadings(watch.clock);
  signInAs(await watch.world.staff("support"));
  const { attention } = await readOverview({ environment: "sandbox" });
  expect(attention.find((line) => line.partner.id === partner.id)?.reasons).toMatchObject([
    { kind: "other_value", types: ["pix_in", "pix_out"] },
  ]);
  const { partners } = await listPartners(
    partnerQuerySchema.parse({ environment: "sandbox", search: "Masked" }),
  );
  expect(partners.map(statesOf)).toEqual([[{ kind: "other_value" }]]);
});
