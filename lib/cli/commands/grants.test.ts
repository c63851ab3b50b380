import { newKeys } from "@/lib/platform/database/testing/configure";
import { grantServing, servingGrants } from "@/lib/cli/commands/migrate";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { db, openDatabase, type Db } from "@/lib/platform/database/open";
import {
  freshDatabaseUrl,
  migratedDatabaseUrl,
} from "@/lib/platform/database/testing/fresh-database";
import { env, parseEnv } from "@/lib/platform/env/env";
import { keyring } from "@/lib/platform/secrets/envelope";
import { rewrapAll } from "@/lib/platform/secrets/rewrap";
import { Watcher } from "@/lib/watch/server/watcher";
import { watchedEnvironment } from "@/lib/watch/server/schedules";
import { readConfiguration, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type World } from "@/lib/webhooks/testing/world";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const role = `serving_${randomBytes(4).toString("hex")}`;
const own = { url: "" };

vi.mock("@/lib/platform/database/testing/fresh-database", { spy: true });

const configured = (DATABASE_URL: string) =>
  parseEnv({ ...process.env, DATABASE_URL }, { mode: "development" });

const servedAt = (url: string) => {
  const served = new URL(url);
  served.username = role;
  return served.href;
};

describe.runIf(process.env["TEST_ENGINE"] === "postgres")("the user that serves", () => {
  let owner: Db;
  let world: World;

  beforeAll(async () => {
    own.url = await migratedDatabaseUrl();
    owner = openDatabase(own.url);
    await sql`create role ${sql.id(role)} login`.execute(owner);
    await grantServing(owner, role);
    vi.mocked(migratedDatabaseUrl).mockResolvedValueOnce(servedAt(own.url));
    world = await startWorld();
  });
  afterAll(async () => {
    await world.close();
    await owner.destroy();
  });

  it("serves: a start finds nothing to migrate, and reading, saving, watching, rotating keys and streaming work", async () => {
    const { rows } = await sql<{ name: string }>`select current_user::text as name`.execute(db());
    expect(rows).toEqual([{ name: role }]);
    await (
      await prepareDatabase({ ...configured(own.url), databaseUrl: env().databaseUrl })
    ).destroy();

    const partner = await world.partner();
    signInAs(await partner.person("admin"));
    const context = { requestId: "r", clientAddress: "192.0.2.1" };
    const request: SaveRequest = {
      type: "both" as const,
      url: "https://hooks.example.com/pix",
      revision: null,
      authorization: { action: "replace", value: "Bearer a-value" },
    };
    await readConfiguration(partner.id, "sandbox", { requestId: "r" });
    const saved = await saveConfiguration(partner.id, "sandbox", request, context);
    expect(saved).toMatchObject({ outcome: "saved" });

    const watched = watchedEnvironment("sandbox");
    if (!watched) throw new Error("the sandbox is not watched");
    const watcher = new Watcher(watched);
    await watcher.round();
    await watcher.end();

    await rewrapAll(db(), keyring(), () => undefined);

    const { runGancho } = await import("@/lib/cli/testing/run-gancho");
    const exported = await runGancho(["export-history", "--all"]);
    expect(exported).toMatchObject({ code: 0, err: "" });
    expect(exported.out).toContain(`{"chain":"${partner.id}","seq":1,`);
  });

  it("changes and deletes no history, and lifts no protection of it (threat: a thief of the dashboard's password)", async () => {
    const refused = async (statement: string) => {
      const thrown: unknown = await sql
        .raw(statement)
        .execute(db())
        .catch((error: unknown) => error);
      return thrown instanceof Error && "code" in thrown ? thrown.code : thrown;
    };
    // PostgreSQL only warns that it granted nothing.
    await sql.raw(`grant update, delete on history to ${role}`).execute(db());
    for (const statement of [
      "update history set actor_id = 'somebody'",
      "update history set client_address = null",
      "update history set detail_json = '{}' where seq = 1",
      "delete from history",
      "delete from data_keys",
      "insert into history_checkpoints values ('aurora', 9, '', 1)",
      "drop trigger history_no_delete on history",
      "create or replace function history_is_behind_checkpoint() returns trigger language plpgsql as 'begin return old; end'",
      "truncate history",
      "insert into history select * from history on conflict (partner_id, seq) do update set mac = '-'",
      "alter table history disable trigger all",
      "drop trigger history_append_only on history",
      "create or replace function history_is_append_only() returns trigger language plpgsql as 'begin return new; end'",
      "drop table history",
      "alter table history rename to other",
      "create table other (id text)",
      "delete from kysely_migration",
      "update schema_info set works_since = '9.9.9'",
      "set session_replication_role = replica",
    ])
      expect(await refused(statement), statement).toBe("42501");
    expect(await db().selectFrom("history").select("id").execute()).not.toEqual([]);
  });

  it("is refused where a migration is due, with the command for the owner", async () => {
    await sql`delete from kysely_migration`.execute(owner);
    const start = prepareDatabase({ ...configured(own.url), databaseUrl: env().databaseUrl });
    await expect(start).rejects.toThrow(
      "does not let this user do that: run gancho migrate --grant-to and its name",
    );
  });

  it("must exist, and must not be the owner", async () => {
    await expect(servingGrants(owner, "gancho")).rejects.toThrow(
      "gancho is the user of DATABASE_URL, who owns the tables: name another",
    );
    await expect(grantServing(owner, "nobody-of-that-name")).rejects.toMatchObject({
      code: "42704",
    });
  });
});

it.skipIf(process.env["TEST_ENGINE"] === "postgres")(
  "cannot be set up for the embedded database, which has no users",
  async () => {
    const { runGancho } = await import("@/lib/cli/testing/run-gancho");
    const set = { DATABASE_URL: await freshDatabaseUrl(), ...newKeys() };
    expect(await runGancho(["migrate", "--grant-to", "serving"], set)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is the embedded database, which has no users of its own"),
    });
  },
);
