import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { newKeys } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { anchorFile } from "@/lib/history/server/verify/anchor-file";
import { recordPerson } from "@/lib/history/server/record/record";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
      "Nothing wrong was found up to the ends that the database and the anchor file have. An end that was cut off in both shows in the log alone: docs/operate.md, “The anchor file”.\n",
    err: "",
  });
});

it("reads every file that --anchors names, however it is given (threat: a host's file that is passed over)", async () => {
  const folder = newFolder();
  const files = ["a", "b"].map((name) => path.join(folder, name));
  const lines = readFileSync(anchorFile(), "utf8").split("\n");
  const [ofPartner = "", ofPeople = ""] = files;
  writeFileSync(ofPartner, lines.filter((line) => !line.includes("@people")).join("\n"));
  writeFileSync(ofPeople, lines.filter((line) => line.includes("@people")).join("\n"));
  const each = ["--anchors", ofPartner, "--anchors", ofPeople];
  expect(await run(each)).toMatchObject({ code: 0 });
  expect(await run(["--anchors", files.join(",")])).toMatchObject({ code: 0 });
  expect(await run(["--anchors", ofPeople])).toMatchObject({ code: 3 });
});

it("names the key where ENCRYPTION_KEYS is another installation's, instead of calling the history changed", async () => {
  const { code, out, err } = await run([], newKeys());
  expect(err).toMatch(/ENCRYPTION_KEYS (?:lacks the key|has another key under the id) \w+/);
  expect(out).toBe("");
  expect(code).toBe(2);
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

it("never says that nothing is wrong: an end cut off with its notes in the database and the file cannot be seen (threat: cutting without any key)", async () => {
  const cut = await newPartner();
  await record(aSave(cut), aSave(cut));
  const { mac } = await rowOf("history", { partner_id: cut, seq: 1 });
  await db().deleteFrom("history").where("partner_id", "=", cut).where("seq", ">", 1).execute();
  await update("history_heads", { seq: 1, mac }, { partner_id: cut });
  const lines = readFileSync(anchorFile(), "utf8").split("\n");
  const others = lines.filter((line) => !line.includes(`"partner":"${cut}","seq":2`));
  writeFileSync(anchorFile(), others.join("\n"));
  const { code, out } = await run([cut]);
  expect(out).not.toContain("Nothing is wrong");
  expect(out).toContain("cut off in both shows in the log alone");
  expect(code).toBe(0);
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
