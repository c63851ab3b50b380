import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { migrateToLatest, thisRelease } from "@/lib/platform/database/migrate";
import { db } from "@/lib/platform/database/open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { dataKeyFor } from "@/lib/platform/secrets/data-key";
import { beginStopping } from "@/lib/platform/runtime/in-flight";
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
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

it("is ready once the database is migrated, unless a key is missing, a newer release changed the tables, the database is gone or the process is stopping", async () => {
  expect(await ready()).toEqual({ status: 503, body: { status: "not_migrated" } });
  await migrateToLatest(db());
  expect(await ready()).toEqual({ status: 200, body: { status: "ok" } });
  await sealUnder({ id: "newer", bytes: randomBytes(32) });
  expect(await ready()).toEqual({ status: 503, body: { status: "keys_missing" } });
  await db().deleteFrom("data_keys").execute();
  expect(await ready()).toEqual({ status: 200, body: { status: "ok" } });
  await migratedByNewer();
  expect(await ready()).toEqual({ status: 503, body: { status: "newer_tables" } });
  await db().destroy();
  expect(await ready()).toEqual({ status: 503, body: { status: "no_database" } });
  beginStopping();
  expect(await ready()).toEqual({ status: 503, body: { status: "stopping" } });
});
