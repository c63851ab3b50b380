import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { inTransaction, update } from "@/lib/platform/database/testing/rows";
import { anchorFile } from "@/lib/history/server/verify/anchor-file";
import { recordPerson } from "@/lib/history/server/record/record";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { runGancho } from "@/lib/cli/testing/run-gancho";

let partner: string;

beforeAll(async () => {
  await startHistoryWorld();
  await dropTheTriggers();
  partner = await newPartner();
  await record(aSave(partner), aSave(partner), aSave(partner));
  await inTransaction((trx) =>
    recordPerson(trx, {
      who: null,
      kind: "sign_in_refused",
      clientAddress: "192.0.2.7",
      requestId: "q1",
      outcome: "unknown_person",
      detail: { failure: null, blockedSeconds: null, browser: null, system: null },
    }),
  );
});

const run = (args: string[], env: Record<string, string> = {}) =>
  runGancho(["verify-history", ...args], env);

it("exits with 0 when all is right", async () => {
  expect(await run([])).toEqual({
    code: 0,
    out:
      "Right: 4 entries. Partners with a history: 1, and the people of this installation.\n" +
      "Nothing is wrong.\n",
    err: "",
  });
});

it.each([
  ["an unknown option", ["--anchor", "x"], {}, "--anchor"],
  ["an anchor file that is not there", ["--anchors", "/nowhere"], {}, "/nowhere cannot be read"],
  [
    "a database that is not there",
    [],
    { DATABASE_URL: "file:/tmp/gancho-test-nowhere.db" },
    "there is no database",
  ],
  [
    "an unknown partner, so that a typing error does not pass for right",
    ["typo"],
    {},
    "gancho verify-history: there is no partner typo",
  ],
  ["no configuration", [], { ENCRYPTION_KEYS: "", NODE_ENV: "production" }, "ENCRYPTION_KEYS"],
])("exits with 2 when it cannot tell: %s", async (_, args, env, message) => {
  const { code, err } = await run(args, env);
  expect(err).toContain(message);
  expect(code).toBe(2);
  expect(existsSync("/tmp/gancho-test-nowhere.db")).toBe(false);
});

it("exits with 3, and not with 0, where there is no anchor file (threat: cutting off the newest entries and removing the file)", async () => {
  const elsewhere = newFolder();
  const { code, out, err } = await run([], { GANCHO_DATA_DIR: elsewhere });
  expect(err).toContain(`There is no ${elsewhere}/history-anchor.jsonl`);
  expect(out).toContain("There is no anchor: whether newest entries were cut off");
  expect(out).toContain("Nothing wrong was found in what could be checked.");
  expect(out).not.toContain("Nothing is wrong");
  expect(code).toBe(3);
  expect(existsSync(anchorFile())).toBe(true);
});

it("exits with 3 where the anchor does not know a history (threat: emptying the anchor file instead)", async () => {
  const elsewhere = newFolder();
  writeFileSync(path.join(elsewhere, "history-anchor.jsonl"), "");
  const { code, out } = await run([], { GANCHO_DATA_DIR: elsewhere });
  expect(out).toContain("The anchor does not know 2 of these histories");
  expect(code).toBe(3);
});

it("exits with 1 and names the first bad entry of each history that was edited", async () => {
  await update("history", { at: 1 }, { seq: 2 });
  await update("history", { request_id: "x" }, { partner_id: "@people" });
  expect((await run(["@people"])).out).toContain(
    "the people of this installation (@people): entry 1 is not what was recorded.",
  );
  const { code, out } = await run([partner]);
  expect(code).toBe(1);
  expect(out).toContain(`${partner}: entry 2 is not what was recorded.`);
});
