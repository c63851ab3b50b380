import { migrateToLatest } from "@/lib/db/migrate";
import { db } from "@/lib/db/open";
import { freshDatabaseUrl } from "@/lib/db/testing/fresh-database";
import { beginStopping } from "@/lib/under-way";
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { GET } from "./route";

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await freshDatabaseUrl(),
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
  });
});

async function ready() {
  const request = new Request("http://localhost/api/health/ready");
  const answer = await GET(request, { params: Promise.resolve({}) });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

it("is ready when the database has this version's tables, until the process is to end or the database is gone", async () => {
  expect(await ready()).toEqual({ status: 503, body: { status: "not_migrated" } });
  await migrateToLatest(db());
  expect(await ready()).toEqual({ status: 200, body: { status: "ok" } });
  await db().destroy();
  expect(await ready()).toEqual({ status: 503, body: { status: "no_database" } });
  beginStopping();
  expect(await ready()).toEqual({ status: 503, body: { status: "stopping" } });
});
