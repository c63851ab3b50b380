import { runGancho } from "@/lib/cli/testing/run-gancho";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { publicHalf } from "@/lib/history/server/verify/checkpoint";
import { db } from "@/lib/platform/database/open";
import { Secret } from "@/lib/platform/runtime/secret";
import { createPublicKey, randomBytes, verify } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const HISTORY_SIGNING_KEY = randomBytes(32).toString("base64");
const HISTORY_PUBLIC_KEYS = publicHalf(new Secret(HISTORY_SIGNING_KEY));
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

const signing = () => ({ ...set, HISTORY_SIGNING_KEY });
const now = () => new Date().toISOString();

it.each<[string, string[], () => Record<string, string>, string]>([
  ["no key", ["--before", "2020-01-01"], () => set, "HISTORY_SIGNING_KEY is not set"],
  ["no age", [], signing, "the history is kept for good: set RETAIN_HISTORY_DAYS"],
  ["no date", ["--before", "soon"], signing, "--before is not a day or a moment"],
  ["a date to come", ["--before", "2999-01-01"], signing, "--before is in the future"],
])("changes nothing, and says why, where it is told %s", async (_, args, env, why) => {
  const { code, err } = await runGancho(["prune-history", ...args], env());
  expect(err).toContain(why);
  expect(code).not.toBe(0);
});

it("says what would go, removes it, prints the checkpoint, and verify-history says so from its public key alone", async () => {
  const before = now();
  expect(
    await runGancho(["prune-history", "--check", "--before", before], signing()),
  ).toMatchObject({ code: 0, out: "Would be removed: 3 entries of 1 histories.\n" });
  expect(
    await runGancho(["prune-history"], { ...signing(), RETAIN_HISTORY_DAYS: "7" }),
  ).toMatchObject({ code: 0, out: "Removed: 0 entries of 0 histories.\n" });
  const { code, out } = await runGancho(["prune-history", "--before", before], signing());
  expect(code).toBe(0);
  const [line = ""] = out.split("\n");
  expect(JSON.parse(line)).toMatchObject({ chain: partner, removed: 3 });
  expect(out).toContain("Removed: 3 entries of 1 histories.");
  const verified = await runGancho(["verify-history"], { ...set, HISTORY_PUBLIC_KEYS });
  expect(verified.out).toMatch(
    /Removed before, each under a signed checkpoint: 3 entries of 1 histories, the last of them at 2/,
  );
  expect(verified).toMatchObject({ code: 0, err: "" });
  const one = await runGancho(["verify-history", partner], { ...set, HISTORY_PUBLIC_KEYS });
  expect(one.out).toContain(`${partner}: its first 3 entries, up to 2`);
});

it("ends with 1 where no configured key signed the checkpoint (threat: removing the past with a key of one's own)", async () => {
  for (const keys of [set, { ...set, HISTORY_PUBLIC_KEYS: randomBytes(32).toString("base64") }]) {
    const { code, out } = await runGancho(["verify-history"], keys);
    expect(out).toContain(
      `${partner}: entry 3 is the last one said to have been removed, by a checkpoint that no key of HISTORY_PUBLIC_KEYS signed.`,
    );
    expect(code).toBe(1);
  }
});

it("exports the public key in a form with which other programs verify the checkpoint", async () => {
  const { out } = await runGancho(["prune-history", "--public-key"], signing());
  const [raw, , ...pem] = out.trim().split("\n");
  expect(raw).toBe(HISTORY_PUBLIC_KEYS);
  const row = await db().selectFrom("history_checkpoints").selectAll().executeTakeFirstOrThrow();
  const signature = Buffer.from(row.signature, "base64");
  const key = createPublicKey(pem.join("\n"));
  expect(verify(null, Buffer.from(row.statement), key, signature)).toBe(true);
});

it("leaves a history with a fault as it is, and ends with 1 (threat: removing what shows that it was edited)", async () => {
  await record(aSave(partner), aSave(partner));
  await dropTheTriggers();
  const last = () => db().updateTable("history").where("partner_id", "=", partner);
  await last().where("seq", "=", 5).set({ client_address: "203.0.113.9" }).execute();
  const { code, out } = await runGancho(["prune-history", "--before", now()], signing());
  expect(out).toContain(
    `${partner}: nothing was removed. Something is wrong with it: entry 5 is not what was recorded. See verify-history`,
  );
  expect(code).toBe(1);
});
