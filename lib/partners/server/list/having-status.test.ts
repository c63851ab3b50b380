import { plansOf } from "@/lib/platform/database/testing/plans";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { insert } from "@/lib/platform/database/testing/rows";
import { cases } from "@/lib/platform/runtime/testing/thorough";
import { inWorld } from "@/lib/webhooks/testing/in-world";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countWithStatus, findConspicuous } from "./having-status";
import { readLines } from "./list";

inWorld({ as: null });

const statuses = ["failing", "changed_outside", "type_missing", "no_authorization"] as const;
const service = () => ({
  environment: "sandbox",
  baseUrl: env().environments.get("sandbox") ?? "",
});
const all = { words: [], status: undefined, among: null, sort: undefined, after: null };

const host = fc.constantFrom("a.example", "", null);
/** What may be stored of one partner, also of another client, at another service, in another environment. */
const stored = fc.record({
  connected: fc.constantFrom(true, true, true, false),
  environment: fc.constantFrom("sandbox", "sandbox", "other"),
  overview: fc.option(
    fc.record({
      confirmed: fc.constantFrom(0 as const, 1 as const),
      pix_in_host: host,
      pix_out_host: host,
      without_authorization: fc.constantFrom("", "pix_in"),
      fault_code: fc.constantFrom("upstream_timeout", null),
      isOwn: fc.constantFrom(true, true, true, false),
      isHere: fc.constantFrom(true, true, true, false),
    }),
  ),
  schedule: fc.option(
    fc.record({
      fault_code: fc.constantFrom("upstream_rate_limited", "upstream_timeout", null),
      outside_at: fc.constantFrom(1, null),
      isOwn: fc.constantFrom(true, true, true, false),
      isHere: fc.constantFrom(true, true, true, false),
    }),
  ),
  suspended: fc.boolean(),
});

it("counts as many partners of each status as the list finds, whatever readings left", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(stored, { minLength: 1, maxLength: 12 }), async (partners) => {
      run += 1;
      for (const [at, each] of partners.entries()) await store(`counted-${run}-${at}`, each);
      for (const status of statuses) {
        const found = await readLines(db(), service(), { ...all, status }, 10_000);
        expect([status, await countWithStatus(db(), status, service())]).toEqual([
          status,
          found.length,
        ]);
      }
    }),
    cases(100),
  );
});

async function store(
  id: string,
  { connected, environment, overview, schedule, suspended }: Stored,
): Promise<void> {
  const suspended_at = suspended ? 1 : null;
  await insert("partners", { id, name: id, created_at: 1, suspended_at });
  const source = ({ isOwn, isHere }: { isOwn: boolean; isHere: boolean }) => ({
    client_id: isOwn ? id : "another",
    base_url: isHere ? service().baseUrl : "https://another.example",
  });
  if (overview) {
    const { isOwn, isHere, ...seen } = overview;
    const row = { ...seen, ...source({ isOwn, isHere }), failing_since: seen.fault_code && 1 };
    await insert("partner_overviews", { partner_id: id, environment, ...row });
  }
  if (!connected) return;
  const row = { client_id: id, version: 1, secret_ciphertext: "", updated_at: 1 };
  await insert("connections", { id, partner_id: id, environment, ...row });
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
type Stored = typeof stored extends fc.Arbitrary<infer Each> ? Each : never;

it("finds of each kind only so many that stand out, and none that is suspended", async () => {
  const overview = { confirmed: 1, without_authorization: "" } as const;
  for (const id of ["zz-bare-1", "zz-bare-2", "zz-bare-3"])
    await store(id, {
      connected: true,
      environment: "sandbox",
      overview: {
        ...overview,
        pix_in_host: null,
        pix_out_host: null,
        fault_code: null,
        isOwn: true,
        isHere: true,
      },
      schedule: null,
      suspended: id === "zz-bare-1",
    });
  const found = await findConspicuous(db(), service(), 10_000);
  expect(found).toEqual(expect.arrayContaining(["zz-bare-2", "zz-bare-3"]));
  expect(found).not.toContain("zz-bare-1");
  expect((await findConspicuous(db(), service(), 1)).length).toBeLessThanOrEqual(9);
});

describe.runIf(process.env["TEST_ENGINE"] !== "postgres")("how SQLite reads", () => {
  /** Through all of a table, or of an environment in it. */
  const everyRow =
    /^SCAN (partners|connections|overview|schedule|confirmed)\b(?!.* INDEX partners_(by_name|suspended))|^SEARCH .* INDEX (connections_of_environment|reading_schedule_due)\b/;

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
      readLines(executor, service(), { ...all, sort: "name", after }, 51),
    );
    expect(steps.map(({ detail }) => detail).join("\n")).toContain("partners_by_name");
    expect(steps.filter(({ detail }) => everyRow.test(detail))).toEqual([]);
    // Those of the page alone are sorted.
    expect(
      steps.filter(({ detail, parent }) => detail.startsWith("USE TEMP B-TREE") && parent !== 0),
    ).toEqual([]);
  });
});
