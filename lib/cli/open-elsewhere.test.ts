import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase } from "@/lib/platform/database/open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { otherProcess } from "@/lib/platform/database/testing/other-process";
import { Secret } from "@/lib/platform/runtime/secret";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { openElsewhere } from "./open-elsewhere";

it.runIf(existsSync("/proc/self/fd"))(
  "names each other process that has the embedded database open, and not this one",
  async () => {
    const url = await freshDatabaseUrl();
    expect(openElsewhere(new Secret(url))).toEqual([]);
    const db = openDatabase(url);
    await migrateToLatest(db);
    expect(openElsewhere(new Secret(url))).toEqual([]);
    const other = await otherProcess(url.replace(/^file:/, ""));
    expect(openElsewhere(new Secret(url))).toEqual([
      expect.stringMatching(
        new RegExp(`gancho\\.db is also open in process ${other.pid} \\(\\S+\\)`),
      ),
    ]);
    await other.end();
    expect(openElsewhere(new Secret(url))).toEqual([]);
    await db.destroy();
  },
);

it("has nothing to say of PostgreSQL, nor of a file that is not there", () => {
  expect(openElsewhere(new Secret("postgres://u:p@h/d"))).toEqual([]);
  expect(openElsewhere(new Secret("file:/nowhere/gancho.db"))).toEqual([]);
});
