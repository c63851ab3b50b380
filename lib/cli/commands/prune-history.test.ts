import { update } from "@/lib/platform/database/testing/rows";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { beforeAll, expect, it } from "vitest";

let partner: string;

beforeAll(async () => {
  await startHistoryWorld();
  partner = await newPartner();
  await record(aSave(partner), aSave(partner), aSave(partner), aSave(partner));
});

const now = () => new Date().toISOString();

it.each([
  ["no age", [], "the history is kept for good: set RETAIN_HISTORY_DAYS"],
  ["no date", ["--before", "soon"], "--before is not a day or a moment"],
  ["a future date", ["--before", "2999-01-01"], "--before is in the future"],
  ["an unknown partner", ["--before", "2021-01-01", "typo"], "there is no partner typo"],
])("changes nothing, and says why, given %s", async (_, args, why) => {
  const { code, err } = await runGancho(["prune-history", ...args]);
  expect(err).toContain(why);
  expect(code).not.toBe(0);
});

it("says what would go, removes it, and verify-history says so", async () => {
  const before = now();
  expect(await runGancho(["prune-history", "--check", "--before", before])).toMatchObject({
    code: 0,
    out: "Would be removed: 3 entries of 1 histories.\n",
  });
  expect(await runGancho(["prune-history"], { RETAIN_HISTORY_DAYS: "7" })).toMatchObject({
    code: 0,
    out: "Removed: 0 entries of 0 histories.\n",
  });
  const { code, out } = await runGancho(["prune-history", "--before", before]);
  expect(code).toBe(0);
  expect(out).toContain("Removed: 3 entries of 1 histories.");
  const verified = await runGancho(["verify-history"]);
  expect(verified.out).toMatch(
    /Removed before, as entries say: 3 entries of 1 histories, the last of them at 2/,
  );
  expect(verified).toMatchObject({ code: 0, err: "" });
  const one = await runGancho(["verify-history", partner]);
  expect(one.out).toContain(`${partner}: its first 3 entries, up to 2`);
});

it("leaves a history with a fault as it is, and ends with 1 (threat: removing what shows that it was edited)", async () => {
  await record(aSave(partner), aSave(partner));
  await dropTheTriggers();
  await update("history", { request_id: "x" }, { partner_id: partner, seq: 5 });
  const { code, out } = await runGancho(["prune-history", "--before", now()]);
  expect(out).toContain(
    `${partner}: nothing was removed. Something is wrong with it: entry 5 is not what was recorded. See verify-history`,
  );
  expect(code).toBe(1);
});
