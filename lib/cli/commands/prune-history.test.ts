import { runGancho } from "@/lib/cli/testing/run-gancho";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

let partner: string;
let set: Record<string, string>;

beforeAll(async () => {
  const GANCHO_DATA_DIR = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
  process.env["GANCHO_DATA_DIR"] = GANCHO_DATA_DIR;
  await startHistoryWorld();
  partner = await newPartner();
  await record(aSave(partner), aSave(partner), aSave(partner), aSave(partner));
  const { DATABASE_URL = "", AUTH_SECRET = "", ENCRYPTION_KEYS = "" } = process.env;
  set = { DATABASE_URL, AUTH_SECRET, ENCRYPTION_KEYS, GANCHO_DATA_DIR };
});
afterAll(() => db().destroy());

const now = () => new Date().toISOString();

it.each([
  ["no age", [], "the history is kept for good: set RETAIN_HISTORY_DAYS"],
  ["no date", ["--before", "soon"], "--before is not a day or a moment"],
  ["a date to come", ["--before", "2999-01-01"], "--before is in the future"],
])("changes nothing, and says why, where it is told %s", async (_, args, why) => {
  const { code, err } = await runGancho(["prune-history", ...args], set);
  expect(err).toContain(why);
  expect(code).not.toBe(0);
});

it("says what would go, removes it, and verify-history says so", async () => {
  const before = now();
  expect(await runGancho(["prune-history", "--check", "--before", before], set)).toMatchObject({
    code: 0,
    out: "Would be removed: 3 entries of 1 histories.\n",
  });
  expect(await runGancho(["prune-history"], { ...set, RETAIN_HISTORY_DAYS: "7" })).toMatchObject({
    code: 0,
    out: "Removed: 0 entries of 0 histories.\n",
  });
  const { code, out } = await runGancho(["prune-history", "--before", before], set);
  expect(code).toBe(0);
  expect(out).toContain("Removed: 3 entries of 1 histories.");
  const verified = await runGancho(["verify-history"], set);
  expect(verified.out).toMatch(
    /Removed before, as entries say: 3 entries of 1 histories, the last of them at 2/,
  );
  expect(verified).toMatchObject({ code: 0, err: "" });
  const one = await runGancho(["verify-history", partner], set);
  expect(one.out).toContain(`${partner}: its first 3 entries, up to 2`);
});

it("leaves a history with a fault as it is, and ends with 1 (threat: removing what shows that it was edited)", async () => {
  await record(aSave(partner), aSave(partner));
  await dropTheTriggers();
  const last = () => db().updateTable("history").where("partner_id", "=", partner);
  await last().where("seq", "=", 5).set({ request_id: "x" }).execute();
  const { code, out } = await runGancho(["prune-history", "--before", now()], set);
  expect(out).toContain(
    `${partner}: nothing was removed. Something is wrong with it: entry 5 is not what was recorded. See verify-history`,
  );
  expect(code).toBe(1);
});
