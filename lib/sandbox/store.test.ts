import { chmodSync, writeFileSync } from "node:fs";
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

test("a database of a newer version is left alone", () => {
  const file = join(newFolder(), "sandbox.db");
  openStore(file).close();
  const newer = new Database(file);
  newer.exec("PRAGMA user_version = 2");
  newer.close();
  expect(() => openStore(file)).toThrow("newer version");
});

test("a file that is no database is not opened", () => {
  const file = join(newFolder(), "sandbox.db");
  writeFileSync(file, "not a database, but long enough to be looked at. ".repeat(100));
  chmodSync(file, 0o600);
  expect(() => openStore(file)).toThrow("not a database");
});

test("a database that lost its key is not opened, because no token would be worth anything", () => {
  const file = join(newFolder(), "sandbox.db");
  openStore(file).close();
  const other = new Database(file);
  other.exec("DELETE FROM signing_key");
  other.close();
  expect(() => openStore(file)).toThrow("lost its signing key");
});
