import { beforeAll, expect, it } from "vitest";
import { configure } from "./testing/configure";
import { migratedDatabaseUrl } from "./testing/fresh-database";
import { db } from "./open";
import { prepared, type Bound } from "./prepared";

beforeAll(async () => configure({ DATABASE_URL: await migratedDatabaseUrl() }));

let built = 0;
const marks = prepared((executor, given: Bound<{ name: string; doneAt: number | null }>) => {
  built += 1;
  return executor
    .selectFrom("markers")
    .select(({ exists, selectFrom }) => [
      "done_at",
      exists(selectFrom("markers").select("name").where("name", "=", given.name)).as("again"),
    ])
    .where("name", "=", given.name)
    .where("done_at", "is not distinct from", given.doneAt);
});

it("builds a query once, and runs it with the values that are given each time", async () => {
  await db()
    .insertInto("markers")
    .values([
      { name: "a", done_at: 1 },
      { name: "b", done_at: 2 },
    ])
    .execute();
  const rowsOf = async (name: string, doneAt: number | null) =>
    (await marks(db(), { name, doneAt })).rows.map(({ done_at }) => done_at);
  expect(await rowsOf("a", 1)).toEqual([1]);
  expect(await rowsOf("b", 2)).toEqual([2]);
  expect(await rowsOf("b", 1)).toEqual([]);
  expect(await rowsOf("b", null)).toEqual([]);
  await db()
    .transaction()
    .execute(async (trx) => {
      expect((await marks(trx, { name: "a", doneAt: 1 })).rows).toHaveLength(1);
    });
  expect(built).toBe(1);
});
