import { verifyPassword } from "@/lib/auth/password-hash";
import { migrateToLatest } from "@/lib/db/migrate";
import { openDatabase, type Db } from "@/lib/db/open";
import { freshDatabaseUrl } from "@/lib/db/testing/fresh-database";
import { verifyEveryChain } from "@/lib/history/verify";
import { startSandbox, type Sandbox } from "@/lib/sandbox/start";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sandboxClients } from "./clients";
import { fillDatabase, refuseOthersDatabase } from "./fill-database";
import { registerWebhooks } from "./register-webhooks";

const clients = sandboxClients(null);

let db: Db;
let sandbox: Sandbox;
beforeEach(async () => {
  vi.stubEnv("AUTH_SECRET", randomBytes(48).toString("base64"));
  vi.stubEnv(
    "ENCRYPTION_KEYS",
    `demo-1:${Buffer.alloc(32, "gancho-test-key!").toString("base64")}`,
  );
  db = openDatabase(await freshDatabaseUrl());
  await migrateToLatest(db);
  sandbox = await startSandbox({});
});
afterEach(async () => {
  await db.destroy();
  await sandbox.close();
});

async function contents() {
  return {
    users: await db.selectFrom("users").selectAll().orderBy("email").execute(),
    memberships: await db.selectFrom("memberships").selectAll().orderBy("user_id").execute(),
    connections: await db.selectFrom("connections").selectAll().orderBy("id").execute(),
  };
}

it("fills in the partners, the seven people and a connection for each environment, once", async () => {
  await fillDatabase(db, ["sandbox"], clients);
  const first = await contents();
  expect(first.users).toHaveLength(7);
  expect(first.memberships).toHaveLength(5);
  expect(first.connections.map((row) => row.client_id).sort()).toEqual([
    "aurora",
    "mercado",
    "tiete",
  ]);
  expect(await verifyPassword(first.users[0]?.password_hash ?? null, "gancho-demo-only")).toBe(
    true,
  );
  await fillDatabase(db, ["sandbox"], clients);
  expect(await contents()).toEqual(first);
});

it("leaves nothing that the history does not know, on its first start and on a later one", async () => {
  for (const environments of [["sandbox"], ["sandbox", "production"]]) {
    await fillDatabase(db, environments, clients);
    const differing = [];
    for await (const { partnerId, fault, differences } of verifyEveryChain(db, new Map()))
      if (fault || differences.length > 0) differing.push({ partnerId, fault, differences });
    expect(differing).toEqual([]);
  }
});

it("adds what is new, and leaves what somebody changed", async () => {
  await fillDatabase(db, ["sandbox"], clients);
  await db.updateTable("memberships").set({ role: "viewer" }).execute();
  await db.updateTable("connections").set({ client_id: "changed" }).execute();
  await fillDatabase(db, ["sandbox", "production"], clients);
  const { memberships, connections } = await contents();
  expect(new Set(memberships.map((row) => row.role))).toEqual(new Set(["viewer"]));
  expect(connections.filter((row) => row.client_id === "changed")).toHaveLength(3);
  expect(connections).toHaveLength(6);
});

it("refuses a database that others use, and knows its own again", async () => {
  await refuseOthersDatabase(db);
  await fillDatabase(db, ["sandbox"], clients);
  await refuseOthersDatabase(db);
  await db.deleteFrom("markers").execute();
  await expect(refuseOthersDatabase(db)).rejects.toThrow("DATABASE_URL is a database in use");
});

/** What the sandbox lists for a partner, asked as any client of the contract would. */
async function listed(id: string): Promise<unknown> {
  const pair = Buffer.from(`${id}:${clients.get(id)?.client_secret ?? ""}`).toString("base64");
  const answer = await fetch(`${sandbox.url}/api/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${pair}`, "content-type": "application/json" },
    body: '{"grant_type":"client_credentials"}',
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const list = await fetch(`${sandbox.url}/api/v1/webhooks`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  return list.json();
}

it("registers both types for aurora, pix_in for mercado and nothing for tiete", async () => {
  expect(await registerWebhooks(sandbox.url, clients)).toEqual([]);
  const address = "https://hooks.lojaaurora.example/pix";
  expect(await listed("aurora")).toMatchObject({
    webhooks: [
      { type: "pix_in", callback_url: address, auth_header: expect.any(String) },
      { type: "pix_out", callback_url: address, auth_header: expect.any(String) },
    ],
  });
  const mercado = await listed("mercado");
  expect(mercado).toMatchObject({ webhooks: [{ type: "pix_in" }] });
  expect(JSON.stringify(mercado)).not.toContain("auth_header");
  expect(await listed("tiete")).toEqual({ error: "Configuration not found" });
});

it("registers only where nothing is registered: a second start overwrites nothing", async () => {
  await registerWebhooks(sandbox.url, new Map([...clients].filter(([id]) => id === "mercado")));
  const mercado = await listed("mercado");
  expect(await registerWebhooks(sandbox.url, clients)).toEqual([]);
  expect(await listed("mercado")).toEqual(mercado);
});

it("goes on, and says so, where a client of its own list may not register", async () => {
  sandbox.setClients([{ client_id: "aurora", client_secret: "other" }]);
  expect(await registerWebhooks(sandbox.url, new Map([...clients].slice(0, 1)))).toEqual([
    "aurora: the sandbox gives this client no token",
    "mercado: no client of this id",
  ]);
});
