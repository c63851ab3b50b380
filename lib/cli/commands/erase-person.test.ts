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
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";

const email = "ana.ribeiro@people.example";
const name = "Ana Ribeiro Quintela";
const from = "203.0.113.77";
let ana: string;
let partner: string;

beforeAll(async () => {
  await startHistoryWorld();
  partner = await newPartner();
  await newPerson(partner, "admin");
  ana = await newPerson(partner, "editor");
  await update("users", { email, name }, { id: ana });
  await record(aSave(partner, { actor: { id: ana, clientAddress: from } }));
});

const run = (...words: string[]) => runGancho(words);

it("says what it would do, and changes nothing without --yes", async () => {
  const { code, out } = await run("erase-person", email.toUpperCase());
  expect(out).toContain(`${name} <${email}>, id ${ana}`);
  expect(out).toContain(`in partners: ${partner}`);
  expect(out).toContain("Nothing was changed. To erase them for good, add --yes.");
  expect(code).toBe(0);
  const row = db().selectFrom("users").select("name").where("id", "=", ana);
  expect((await row.executeTakeFirst())?.name).toBe(name);
});

it("person-data prints what is kept as JSON alone", async () => {
  const { code, out } = await run("person-data", email.toUpperCase());
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ account: [{ id: ana, name, email }] });
  const nobody = await run("person-data", "nobody@people.example");
  expect(nobody).toMatchObject({ code: 1, out: "" });
});

it("erases with --yes: verify-history passes, and no file of the database has the name", async () => {
  expect(await run("erase-person", email, "--yes")).toMatchObject({
    code: 0,
    // The line of the log may come before it or after.
    out: expect.stringMatching(/^Erased\.$/m) as string,
  });
  await db().destroy();
  const verified = await run("verify-history");
  expect(verified.out).toContain("Nothing wrong was found up to");
  expect(verified.code).toBe(0);
  const file = (process.env["DATABASE_URL"] ?? "").replace(/^file:/, "");
  const folders = [process.env["GANCHO_DATA_DIR"] ?? "", path.dirname(file)];
  const files = folders.flatMap((each) => readdirSync(each).map((name) => path.join(each, name)));
  const texts = files.map((each) => readFileSync(each, "latin1"));
  for (const text of texts)
    for (const mark of [name, email, from]) expect(text.includes(mark)).toBe(false);
  expect(await run("erase-person", email, "--yes")).toMatchObject({
    code: 1,
    err: expect.stringContaining("nobody here has, was invited with, or is alerted at") as string,
  });
});
