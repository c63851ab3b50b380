import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { openStore } from "./store";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";

test("two stores do not share a signing key", () => {
  const [first, second] = [openStore(null), openStore(null)];
  expect(Buffer.from(first.signingKey)).not.toEqual(Buffer.from(second.signingKey));
  expect(first.signingKey).toHaveLength(32);
  first.close();
  second.close();
});

test("another program's database is left alone", () => {
  const file = join(newFolder(), "other.db");
  const other = new Database(file);
  other.exec("CREATE TABLE theirs (a)");
  other.close();
  expect(() => openStore(file)).toThrow("another program");
  const again = new Database(file);
  expect(again.prepare("SELECT name FROM sqlite_schema").raw().all()).toEqual([["theirs"]]);
  again.close();
});

const changed = (statement: string) => (file: string) => {
  openStore(file).close();
  const other = new Database(file);
  other.exec(statement);
  other.close();
};

// A database that lost its key is not opened, because no token would be worth anything.
test.each<[string, (file: string) => void]>([
  ["newer version", changed("PRAGMA user_version = 2")],
  ["lost its signing key", changed("DELETE FROM signing_key")],
  ["not a database", (file) => writeFileSync(file, "long enough to be looked at. ".repeat(150))],
])("a file that is not a usable store is refused: %s", (complaint, spoil) => {
  const file = join(newFolder(), "sandbox.db");
  spoil(file);
  expect(() => openStore(file)).toThrow(complaint);
});
