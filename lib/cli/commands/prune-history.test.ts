import { update } from "@/lib/platform/database/testing/rows";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { beforeAll, expect, it, vi } from "vitest";

let partner: string;

beforeAll(async () => {
  await startHistoryWorld();
  partner = await newPartner();
  await record(aSave(partner), aSave(partner), aSave(partner), aSave(partner));
});

/** A week later everything that was recorded here is older than a week. */
async function prune(args: readonly string[], set: Record<string, string> = keepsAWeek) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 86_400_000 });
  try {
    return await runGancho(["prune-history", ...args], set);
  } finally {
    vi.useRealTimers();
  }
}

const keepsAWeek = { RETAIN_HISTORY_DAYS: "7" };

it.each<[string, string[], string, Record<string, string>?]>([
  ["no age", ["--yes"], "the history is kept for good: set RETAIN_HISTORY_DAYS", {}],
  ["a date and no age", ["--yes", "--before", "2021-01-01"], "the history is kept for good", {}],
  ["no date", ["--yes", "--before", "soon"], "--before is not a day or a moment"],
  [
    "a date that the age does not allow",
    ["--yes", "--before", new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)],
    "--before is later than RETAIN_HISTORY_DAYS allows: the last 7 days stay",
  ],
  ["an unknown partner", ["--yes", "typo"], "there is no partner typo"],
])("removes nothing, and says why, given %s", async (_, args, why, set = keepsAWeek) => {
  const { code, err } = await prune(args, set);
  expect(err).toContain(why);
  expect(code).not.toBe(0);
  expect((await runGancho(["verify-history"])).out).toContain("Right: 4 entries.");
});

it("says what would go, removes it with --yes alone, and verify-history says so", async () => {
  const dry = await prune([]);
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.out).toMatch(
    /^Would be removed: 3 entries of 1 histories, from before \d{4}-\S+Z\.\nNothing was changed\. To remove them permanently, add --yes\.\n$/,
  );
  expect((await runGancho(["verify-history"])).out).toContain("Right: 4 entries.");
  expect((await prune(["--yes", "--before", "2021-01-01"])).out).toBe(
    "Removed: 0 entries of 0 histories, from before 2021-01-01T00:00:00.000Z.\n",
  );
  const { code, out } = await prune(["--yes"]);
  expect(code).toBe(0);
  expect(out).toContain("Removed: 3 entries of 1 histories");
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
  const { code, out } = await prune(["--yes"]);
  expect(out).toContain(
    `${partner}: nothing was removed. Something is wrong with it: entry 5 is not what was recorded. See verify-history`,
  );
  expect(code).toBe(1);
});
