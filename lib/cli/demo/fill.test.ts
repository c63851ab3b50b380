import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { configure } from "@/lib/platform/database/testing/configure";
import { verifyPassword } from "@/lib/platform/auth/passwords/password-hash";
import { db } from "@/lib/platform/database/open";
import { forgetProcessWide } from "@/lib/platform/runtime/testing/new-process";
import { historyOf } from "@/lib/history/testing/people-entries";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newBrand } from "./brand";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { fillDatabase, refuseOthersDatabase, sandboxClients } from "./fill-database";

const clients = sandboxClients(null);

let putBack: () => void;
beforeEach(async () => {
  putBack = forgetProcessWide();
  await configure({
    PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:9,production=http://127.0.0.1:9",
  });
});
afterEach(async () => {
  await db().destroy();
  putBack();
});

const contents = async () => ({
  users: await db().selectFrom("users").selectAll().orderBy("email").execute(),
  memberships: await db().selectFrom("memberships").selectAll().orderBy("user_id").execute(),
  connections: await db().selectFrom("connections").selectAll().orderBy("id").execute(),
});

it("fills in the partners, the eight people and a connection for each environment, once", async () => {
  await fillDatabase(["sandbox"], clients);
  const first = await contents();
  expect(first.users).toHaveLength(8);
  expect(first.memberships).toHaveLength(6);
  const connected = first.connections.map((row) => row.client_id).sort();
  expect(connected).toEqual(["aurora", "mercado", "tiete"]);
  expect((await historyOf("aurora")).map(({ kind }) => kind)).toEqual([
    "partner_created",
    "connection_changed",
  ]);
  const hash = first.users[0]?.password_hash ?? null;
  expect(await verifyPassword(hash, "gancho-demo-only", hashOfProgram)).toBe(true);
  await fillDatabase(["sandbox"], clients);
  expect(await contents()).toEqual(first);
});

it("has no password for anybody where the provider decides, and leaves the staff to its groups", async () => {
  const { port, settings } = newBrand();
  expect(port).toBe(4040);
  await db().destroy();
  forgetProcessWide();
  await configure({ ...settings, GANCHO_DATA_DIR: newFolder(), MAIL_FROM: "" });
  await fillDatabase(["sandbox"], clients);
  const { users, memberships } = await contents();
  expect(users.map((row) => [row.password_hash, row.staff_role])).toEqual(
    Array(6).fill([null, null]),
  );
  expect(memberships.map(({ managed }) => managed)).toEqual(Array(6).fill(1));
});

it("adds what is new, and keeps what somebody changed", async () => {
  await fillDatabase(["sandbox"], clients);
  await db().updateTable("memberships").set({ role: "viewer" }).execute();
  await db().updateTable("connections").set({ client_id: "changed" }).execute();
  await fillDatabase(["sandbox", "production"], clients);
  const { memberships, connections } = await contents();
  expect(new Set(memberships.map((row) => row.role))).toEqual(new Set(["viewer"]));
  expect(connections.filter((row) => row.client_id === "changed")).toHaveLength(3);
  expect(connections).toHaveLength(6);
});

it("refuses a database that others use, and recognises its own", async () => {
  await refuseOthersDatabase(db());
  await fillDatabase(["sandbox"], clients);
  await refuseOthersDatabase(db());
  await db().deleteFrom("markers").execute();
  await expect(refuseOthersDatabase(db())).rejects.toThrow("DATABASE_URL is a database in use");
});
