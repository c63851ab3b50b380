import { newKeys } from "@/lib/platform/database/testing/configure";
import { verifyPassword } from "@/lib/platform/auth/passwords/password-hash";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fillDatabase, refuseOthersDatabase, sandboxClients } from "./fill-database";

const clients = sandboxClients(null);

let db: Db;
beforeEach(async () => {
  Object.assign(process.env, newKeys());
  db = openDatabase(await migratedDatabaseUrl());
});
afterEach(() => db.destroy());

const contents = async () => ({
  users: await db.selectFrom("users").selectAll().orderBy("email").execute(),
  memberships: await db.selectFrom("memberships").selectAll().orderBy("user_id").execute(),
  connections: await db.selectFrom("connections").selectAll().orderBy("id").execute(),
});

it("fills in the partners, the eight people and a connection for each environment, once", async () => {
  await fillDatabase(db, ["sandbox"], clients);
  const first = await contents();
  expect(first.users).toHaveLength(8);
  expect(first.memberships).toHaveLength(6);
  const connected = first.connections.map((row) => row.client_id).sort();
  expect(connected).toEqual(["aurora", "mercado", "tiete"]);
  const hash = first.users[0]?.password_hash ?? null;
  expect(await verifyPassword(hash, "gancho-demo-only", null)).toBe(true);
  await fillDatabase(db, ["sandbox"], clients);
  expect(await contents()).toEqual(first);
});

it("adds what is new, and keeps what somebody changed", async () => {
  await fillDatabase(db, ["sandbox"], clients);
  await db.updateTable("memberships").set({ role: "viewer" }).execute();
  await db.updateTable("connections").set({ client_id: "changed" }).execute();
  await fillDatabase(db, ["sandbox", "production"], clients);
  const { memberships, connections } = await contents();
  expect(new Set(memberships.map((row) => row.role))).toEqual(new Set(["viewer"]));
  expect(connections.filter((row) => row.client_id === "changed")).toHaveLength(3);
  expect(connections).toHaveLength(6);
});

it("refuses a database that others use, and recognises its own", async () => {
  await refuseOthersDatabase(db);
  await fillDatabase(db, ["sandbox"], clients);
  await refuseOthersDatabase(db);
  await db.deleteFrom("markers").execute();
  await expect(refuseOthersDatabase(db)).rejects.toThrow("DATABASE_URL is a database in use");
});
