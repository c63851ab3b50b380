import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { openStore } from "./store";
import { temporaryFolder } from "@/lib/sandbox/testing/temporary-folder";

const both = ["pix_in", "pix_out"] as const;

test("what is registered is listed, in the order of the types, and only to its client", () => {
  const store = openStore(null);
  store.register("a", {
    types: ["pix_out"],
    callbackUrl: "https://out.example",
    authorization: "x",
  });
  store.register("a", {
    types: ["pix_in"],
    callbackUrl: "https://in.example",
    authorization: null,
  });
  expect(store.list("a")).toEqual([
    { type: "pix_in", callbackUrl: "https://in.example", authorization: null },
    { type: "pix_out", callbackUrl: "https://out.example", authorization: "x" },
  ]);
  expect(store.list("b")).toEqual([]);
  store.close();
});

test("an overwrite replaces everything, an authorization that is left out included", () => {
  const store = openStore(null);
  const old = { types: both, callbackUrl: "https://old.example", authorization: "x" };
  expect(store.register("a", old)).toBe("created");
  expect(
    store.register("a", {
      types: ["pix_in"],
      callbackUrl: "https://new.example",
      authorization: null,
    }),
  ).toBe("overwritten");
  expect(store.list("a")).toEqual([
    { type: "pix_in", callbackUrl: "https://new.example", authorization: null },
    { type: "pix_out", callbackUrl: "https://old.example", authorization: "x" },
  ]);
  store.close();
});

test("both types at once are created if either of them is", () => {
  const store = openStore(null);
  const registration = { callbackUrl: "https://a.example", authorization: null };
  expect(store.register("a", { ...registration, types: ["pix_in"] })).toBe("created");
  expect(store.register("a", { ...registration, types: both })).toBe("created");
  expect(store.register("a", { ...registration, types: both })).toBe("overwritten");
  store.close();
});

test("both types change or neither does, even if the second one fails", () => {
  const file = join(temporaryFolder(), "sandbox.db");
  const store = openStore(file);
  const before = { types: both, callbackUrl: "https://before.example", authorization: null };
  store.register("a", before);
  const saboteur = new Database(file);
  saboteur.exec(
    "CREATE TRIGGER fault BEFORE UPDATE ON webhook WHEN new.type = 'pix_out' BEGIN SELECT RAISE(ABORT, 'fault'); END",
  );
  saboteur.close();
  expect(() => store.register("a", { ...before, callbackUrl: "https://after.example" })).toThrow(
    "fault",
  );
  expect(store.list("a").map((webhook) => webhook.callbackUrl)).toEqual([
    "https://before.example",
    "https://before.example",
  ]);
  store.close();
});

test("records and the signing key are there when it is opened again", () => {
  const file = join(temporaryFolder(), "sandbox.db");
  const first = openStore(file);
  first.register("a", { types: ["pix_in"], callbackUrl: "https://a.example", authorization: "x" });
  const { signingKey } = first;
  first.close();
  const second = openStore(file);
  expect(second.list("a")).toHaveLength(1);
  expect(Buffer.from(second.signingKey)).toEqual(Buffer.from(signingKey));
  second.close();
});

test("two stores do not share a signing key", () => {
  const [first, second] = [openStore(null), openStore(null)];
  expect(Buffer.from(first.signingKey)).not.toEqual(Buffer.from(second.signingKey));
  expect(first.signingKey).toHaveLength(32);
  first.close();
  second.close();
});

test("the journal is a WAL, which readers of the file do not block", () => {
  const file = join(temporaryFolder(), "sandbox.db");
  const store = openStore(file);
  const other = new Database(file);
  expect(other.prepare("PRAGMA journal_mode").raw().get()).toEqual(["wal"]);
  other.close();
  store.close();
});

test("another program's database is left alone", () => {
  const file = join(temporaryFolder(), "other.db");
  const other = new Database(file);
  other.exec("CREATE TABLE theirs (a)");
  other.close();
  expect(() => openStore(file)).toThrow("another program");
  const again = new Database(file);
  expect(again.prepare("SELECT name FROM sqlite_schema").raw().all()).toEqual([["theirs"]]);
  again.close();
});

test("a database of a newer version is left alone", () => {
  const file = join(temporaryFolder(), "sandbox.db");
  openStore(file).close();
  const newer = new Database(file);
  newer.exec("PRAGMA user_version = 2");
  newer.close();
  expect(() => openStore(file)).toThrow("newer version");
});

test("a file that is no database is not opened", () => {
  const file = join(temporaryFolder(), "sandbox.db");
  writeFileSync(file, "not a database, but long enough to be looked at. ".repeat(100));
  chmodSync(file, 0o600);
  expect(() => openStore(file)).toThrow("not a database");
});

test("a database that lost its key is not opened, because no token would be worth anything", () => {
  const file = join(temporaryFolder(), "sandbox.db");
  openStore(file).close();
  const other = new Database(file);
  other.exec("DELETE FROM signing_key");
  other.close();
  expect(() => openStore(file)).toThrow("lost its signing key");
});
