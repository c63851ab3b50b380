import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { migrateToLatest, thisRelease } from "@/lib/platform/database/migrate";
import { db, probeDb } from "@/lib/platform/database/open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { dataKeyFor } from "@/lib/platform/secrets/data-key";
import { beginStopping } from "@/lib/platform/runtime/in-flight";
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it, vi } from "vitest";
import { GET } from "./route";

beforeAll(async () => configure({ DATABASE_URL: await freshDatabaseUrl() }));

async function ready() {
  const request = new Request("http://localhost/api/health/ready");
  const answer = await GET(request, { params: Promise.resolve({}) });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

/** Does what an instance does whose ENCRYPTION_KEYS has a key that this one lacks. */
async function sealUnder(key: { id: string; bytes: Uint8Array }) {
  await insert("partners", { id: "aurora", name: "A", created_at: 1 });
  await dataKeyFor(db(), { active: key, all: [key], find: () => key }, "aurora");
}

/** Migrates as a newer release does whose tables this release must not use. */
const migratedByNewer = () =>
  migrateToLatest(db(), {
    version: "99.0.0",
    worksSince: "99.0.0",
    migrations: { ...thisRelease.migrations, "9000-more": { up: async () => undefined } },
  });

/** Lets this much time pass, as far as what is remembered goes. */
function pass(ms: number): void {
  const real = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => real() + ms);
}

it("is ready once the database is migrated, unless a key is missing, a newer release changed the tables, the database is gone or the process is stopping", async () => {
  const ok = { status: 200, body: { status: "ok" } };
  const unready = (status: string) => ({ status: 503, body: { status } });
  expect(await ready()).toEqual(unready("not_migrated"));
  await migrateToLatest(db());
  expect(await ready()).toEqual(ok);
  await sealUnder({ id: "newer", bytes: randomBytes(32) });
  // Keys are remembered, and looked at again now and then, beside what answers.
  expect(await ready()).toEqual(ok);
  pass(31_000);
  await vi.waitFor(async () => expect(await ready()).toEqual(unready("keys_missing")));
  await db().deleteFrom("data_keys").execute();
  expect(await ready()).toEqual(ok);
  await migratedByNewer();
  expect(await ready()).toEqual(unready("newer_tables"));
  await probeDb().destroy();
  expect(await ready()).toEqual(unready("no_database"));
  beginStopping();
  expect(await ready()).toEqual(unready("stopping"));
});
