import { configure } from "@/lib/platform/database/testing/configure";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { insert } from "@/lib/platform/database/testing/rows";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isAmong } from "./among";
import { migrateToLatest } from "./migrate";
import { db } from "./open";

beforeAll(async () => {
  configure({ DATABASE_URL: await freshDatabaseUrl() });
  await migrateToLatest(db());
});
afterAll(() => db().destroy());

it("finds rows by more texts than a statement may have parameters, whatever is in them", async () => {
  const id = randomUUID();
  await insert("markers", { name: id, done_at: 1 });
  const find = async (texts: readonly string[]) => {
    const rows = await db()
      .selectFrom("markers")
      .select("name")
      .where(isAmong("name", texts))
      .execute();
    return rows.map(({ name }) => name);
  };
  const others = Array.from({ length: 70_000 }, (_, at) => `"other' ${at}\\`);
  expect(await find([...others, id, id])).toEqual([id]);
  expect(await find(others)).toEqual([]);
  expect(await find([])).toEqual([]);
});
