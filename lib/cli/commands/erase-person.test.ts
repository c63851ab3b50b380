import { update } from "@/lib/platform/database/testing/rows";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import {
  aSave,
  newPartner,
  newPerson,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const email = "ana.ribeiro@people.example";
const name = "Ana Ribeiro Quintela";
const from = "203.0.113.77";
let folder: string;
let set: Record<string, string>;
let ana: string;
let partner: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
  process.env["GANCHO_DATA_DIR"] = folder;
  await startHistoryWorld();
  partner = await newPartner();
  await newPerson(partner, "admin");
  ana = await newPerson(partner, "editor");
  await update("users", { email, name }, { id: ana });
  await record(aSave(partner, { actor: { id: ana, name, clientAddress: from } }));
  const { DATABASE_URL = "", AUTH_SECRET = "", ENCRYPTION_KEYS = "" } = process.env;
  set = { DATABASE_URL, AUTH_SECRET, ENCRYPTION_KEYS, GANCHO_DATA_DIR: folder };
});
afterAll(() => db().destroy());

const run = (...words: string[]) => runGancho(words, set);

it("says what it would do, and changes nothing without --yes", async () => {
  const { code, out } = await run("erase-person", email.toUpperCase());
  expect(out).toContain(`${name} <${email}>, id ${ana}`);
  expect(out).toContain(`in partners: ${partner}`);
  expect(out).toContain("Nothing was changed. To erase them for good, add --yes.");
  expect(code).toBe(0);
  const row = db().selectFrom("users").select("name").where("id", "=", ana);
  expect((await row.executeTakeFirst())?.name).toBe(name);
});

it.each([["nobody", ["other@people.example", "--yes"], "nobody here has, or was invited with"]])(
  "ends with a reason for %s",
  async (_, words, why) => {
    const { code, err } = await run("erase-person", ...words);
    expect(err).toContain(why);
    expect(code).not.toBe(0);
  },
);

it("erases with --yes: verify-history passes, and no file of the database has the name", async () => {
  expect(await run("erase-person", email, "--yes")).toMatchObject({
    code: 0,
    // The line of the log may come before it or after.
    out: expect.stringMatching(/^Erased\.$/m) as string,
  });
  await db().destroy();
  const verified = await run("verify-history");
  expect(verified.out).toContain("Nothing is wrong.");
  expect(verified.code).toBe(0);
  const file = /^file:(.*)$/.exec(set["DATABASE_URL"] ?? "")?.[1] ?? "";
  const files = readdirSync(path.dirname(file)).filter((one) =>
    one.startsWith(path.basename(file)),
  );
  const texts = [
    ...files.map((one) => readFileSync(path.join(path.dirname(file), one), "latin1")),
    ...readdirSync(folder).map((one) => readFileSync(path.join(folder, one), "latin1")),
  ];
  for (const text of texts)
    for (const mark of [name, email, from]) expect(text.includes(mark)).toBe(false);
  const again = await run("erase-person", email, "--yes");
  expect(again.err).toContain("nobody here has");
});
