import { plansOf, type PlanStep } from "@/lib/platform/database/testing/plans";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { insert } from "@/lib/platform/database/testing/rows";
import { cases } from "@/lib/platform/runtime/testing/thorough";
import { inWorld } from "@/lib/webhooks/testing/in-world";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countWithStatus, findConspicuous } from "./having-status";
import { findPage, type Narrowing } from "./find-page";

inWorld({ as: null });

const statuses = [
  "failing",
  "changed_outside",
  "type_missing",
  "no_authorization",
  "endpoint_fails",
  "suspended",
] as const;
const service = () => ({
  environment: "sandbox",
  baseUrl: env().environments.get("sandbox") ?? "",
});
const all = {
  words: [],
  status: undefined,
  among: null,
  known: null,
  sort: undefined,
  after: null,
};

const host = fc.constantFrom("a.example", "", null);
const mostly = fc.constantFrom(true, true, true, false);
/** What may be stored of one partner, also at another service, in another environment, and of a client before. */
const stored = fc.record({
  connected: mostly,
  environment: fc.constantFrom("sandbox", "sandbox", "other"),
  overview: fc.option(
    fc.record({
      confirmed: fc.constantFrom(0 as const, 1 as const),
      pix_in_host: host,
      pix_out_host: host,
      without_authorization: fc.constantFrom("", "pix_in"),
      fault_code: fc.constantFrom("upstream_timeout", null),
      isHere: mostly,
    }),
  ),
  /** The last look that is stored may be of a client or a service before. */
  look: fc.record({ isHere: mostly, isOwn: mostly, looked_at: fc.constantFrom(1, 2) }),
  schedule: fc.option(
    fc.record({
      fault_code: fc.constantFrom("upstream_rate_limited", "upstream_timeout", null),
      outside_at: fc.constantFrom(1, null),
      isOwn: mostly,
      isHere: mostly,
    }),
  ),
  check: fc.option(
    fc.record({
      alerted_condition: fc.constantFrom("down", "refused", "open", "unclear", null),
      isOwn: mostly,
      isHere: mostly,
    }),
  ),
  incident: fc.boolean(),
  suspended: fc.boolean(),
});
type Stored = typeof stored extends fc.Arbitrary<infer Each> ? Each : never;

/** The statuses that follow from what is stored, read as a person would. */
function having(each: Stored): Set<string> {
  const found = new Set<string>();
  if (each.suspended) found.add("suspended");
  if (!each.connected || each.environment !== "sandbox") return found.add("unconnected");
  const { incident, overview, schedule, check } = each;
  if (incident) found.add("incident");
  if (schedule?.isOwn && schedule.isHere) {
    if (schedule.outside_at !== null) found.add("changed_outside");
    if (schedule.fault_code === "upstream_rate_limited") found.add("failing");
  }
  const isBad = ["down", "refused", "open"].includes(check?.alerted_condition ?? "");
  if (check?.isOwn && check.isHere && isBad) found.add("endpoint_fails");
  const seen = overview?.isHere ? overview : null;
  if (seen?.fault_code) found.add("failing");
  if (!seen?.confirmed) return found.add("never");
  if (seen.without_authorization) found.add("no_authorization");
  const hosts = [seen.pix_in_host, seen.pix_out_host];
  if (hosts.includes(null)) found.add("type_missing");
  if (hosts.includes("")) found.add("unclear");
  return found;
}

const places = [
  ["changed_outside"],
  ["incident", "failing"],
  ["endpoint_fails"],
  ["unconnected"],
  ["never"],
  ["type_missing"],
  ["unclear"],
  ["no_authorization"],
];

function placeOf(each: Stored): number {
  const found = having(each);
  if (found.has("suspended")) return places.length + 1;
  const place = places.findIndex((names) => names.some((name) => found.has(name)));
  return place < 0 ? places.length : place;
}

function ageOf(each: Stored): number {
  const found = having(each);
  return found.has("unconnected") || found.has("never") ? 0 : each.look.looked_at;
}

it("counts, finds and orders partners by whatever is stored of them, page after page", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(stored, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (partners, size) => {
        run += 1;
        // Not in the order of ids.
        const made = partners.map((each, at) => ({ id: `made-${run}-${(at * 7) % 13}`, each }));
        for (const { id, each } of made) await store(id, each);
        const among = made.map(({ id }) => id);
        const pages = async (narrowing: Partial<Narrowing>) => {
          const found: string[] = [];
          for (let after: string | null | undefined = null; after !== undefined;) {
            const page = await findPage(db(), service(), { ...all, ...narrowing, after }, size);
            found.push(...page);
            expect(found.length).toBeLessThanOrEqual(made.length);
            after = page.length === size ? page.at(-1) : undefined;
          }
          return found;
        };
        const inOrder = (by: (each: Stored) => number, those = made) =>
          those
            .toSorted((a, b) => by(a.each) - by(b.each) || (a.id < b.id ? -1 : 1))
            .map(({ id }) => id);
        expect(await pages({ among, sort: "status" })).toEqual(inOrder(placeOf));
        expect(await pages({ among, sort: "age" })).toEqual(inOrder(ageOf));
        for (const status of statuses) {
          const those = made.filter(({ each }) => having(each).has(status));
          expect([status, await pages({ among, status })]).toEqual([
            status,
            inOrder(() => 0, those),
          ]);
          expect(await pages({ among, status, sort: "status" })).toEqual(inOrder(placeOf, those));
        }
      },
    ),
    cases(200),
  );
  const whole = (narrowing: Partial<Narrowing>) =>
    findPage(db(), service(), { ...all, ...narrowing }, 100_000);
  for (const status of statuses)
    expect([status, await countWithStatus(db(), status, service())]).toEqual([
      status,
      (await whole({ status })).length,
    ]);
  for (const sort of ["name", "age", "status"] as const)
    expect((await whole({ sort })).toSorted()).toEqual(await whole({}));
});

async function store(
  id: string,
  { connected, environment, overview, look, schedule, check, incident, suspended }: Stored,
): Promise<void> {
  await insert("partners", { id, name: id, created_at: 1, suspended_at: suspended ? 1 : null });
  if (!connected) return;
  const { baseUrl } = service();
  const row = { client_id: id, version: 1, secret_ciphertext: "", updated_at: 1 };
  await insert("connections", { id, partner_id: id, environment, ...row });
  const source = ({ isOwn = true, isHere }: { isOwn?: boolean; isHere: boolean }) => ({
    client_id: isOwn ? id : "another",
    base_url: isHere ? baseUrl : "https://another.example",
  });
  if (overview) {
    const { isHere, ...seen } = overview;
    await insert("partner_overviews", {
      partner_id: id,
      environment,
      ...seen,
      ...source({ isHere }),
      failing_since: seen.fault_code && 1,
    });
  }
  // Both are of one look where the list was read.
  const { looked_at, ...of } = overview?.confirmed ? { ...look, ...overview, isOwn: true } : look;
  await insert("confirmed_configurations", {
    connection_id: id,
    looked_at,
    looked_steady: looked_at,
    epoch: 1,
    remote_json: "{}",
    ...source(of),
  });
  if (incident)
    await insert("incidents", { connection_id: id, started_at: 1, version: 1, told_json: "{}" });
  if (check) {
    const { alerted_condition, ...of } = check;
    const when = { checked_at: 1, same_since: 1 };
    const about = { connection_id: id, type: "pix_in" as const, typed: 0 as const };
    await insert("endpoint_checks", { ...about, ...when, alerted_condition, ...source(of) });
  }
  if (!schedule) return;
  const { isOwn, isHere, ...planned } = schedule;
  await insert("reading_schedule", {
    connection_id: id,
    environment,
    due_at: 1,
    failures: 0,
    ...source({ isOwn, isHere }),
    ...planned,
  });
}

it("finds of each kind only so many that stand out, the worst first, and none that is suspended", async () => {
  const bare = {
    connected: true,
    environment: "sandbox",
    overview: {
      confirmed: 1,
      without_authorization: "",
      pix_in_host: null,
      pix_out_host: null,
      fault_code: null,
      isHere: true,
    },
    look: { isHere: true, isOwn: true, looked_at: 1 },
    schedule: null,
    check: null,
    incident: false,
    suspended: false,
  } as const;
  await store("zz-bare-1", { ...bare, suspended: true });
  for (const id of ["zz-bare-2", "zz-bare-3"]) await store(id, bare);
  await store("zz-incident", { ...bare, incident: true });
  const whole = { ...bare.overview, pix_in_host: "a.example", pix_out_host: "a.example" } as const;
  const check = { alerted_condition: "unclear", isOwn: true, isHere: true } as const;
  await store("zz-unclear", { ...bare, overview: whole, check });
  const found = await findConspicuous(db(), service(), 10_000);
  expect(found.filter((id) => id.startsWith("zz-"))).toEqual([
    "zz-incident",
    "zz-unclear",
    "zz-bare-2",
    "zz-bare-3",
  ]);
  expect((await findConspicuous(db(), service(), 1)).length).toBeLessThanOrEqual(9);
});

describe.runIf(process.env["TEST_ENGINE"] !== "postgres")("how SQLite reads", () => {
  /** Through all of a table, or of an environment in it. */
  const everyRow =
    /^SCAN (partners|connections|overview|schedule|confirmed)\b(?!.* INDEX partners_(by_name|suspended))|^SEARCH .* INDEX (connections_of_environment|reading_schedule_due|partner_overviews_looked)\b/;
  /** What is found would be sorted, where an index has it in order. */
  const sorted = ({ detail }: PlanStep) => /USE TEMP B-TREE|USING TEMP B-TREE/.test(detail);

  it.each(statuses)("counts %s from an index of those that have it alone", async (status) => {
    const steps = await plansOf((executor) => countWithStatus(executor, status, service()));
    expect(steps.filter(({ detail }) => everyRow.test(detail))).toEqual([]);
  });

  it("looks for those that stand out in indexes of those alone, and by id", async () => {
    const steps = await plansOf((executor) => findConspicuous(executor, service(), 50));
    const byId = "SCAN partners USING COVERING INDEX sqlite_autoindex_partners_1";
    const others = steps.filter(({ detail }) => everyRow.test(detail) && detail !== byId);
    expect(others).toEqual([]);
  });

  it.each([null, "some-id"])("orders by name from an index, after %j", async (after) => {
    if (after !== null) await insert("partners", { id: after, name: after, created_at: 1 });
    const steps = await plansOf((executor) =>
      findPage(executor, service(), { ...all, sort: "name", after }, 51),
    );
    expect(steps.map(({ detail }) => detail).join("\n")).toContain("partners_by_name");
    expect(steps.filter(({ detail }) => everyRow.test(detail))).toEqual([]);
    expect(steps.filter(sorted)).toEqual([]);
  });

  it.each(["age", "status"] as const)("orders by %s by merging indexes", async (sort) => {
    const steps = await plansOf((executor) =>
      findPage(executor, service(), { ...all, sort }, 100_000),
    );
    const details = steps.map(({ detail }) => detail);
    expect(details).toContain("MERGE (EXCEPT)");
    expect(details.filter((detail) => detail.includes("USING TEMP B-TREE"))).toEqual([]);
    if (sort === "age") expect(details.join("\n")).toContain("INDEX confirmed_by_age");
  });
});
