import type { PartnerRole } from "@/lib/access/roles";
import { migrateToLatest } from "@/lib/db/migrate";
import { db } from "@/lib/db/open";
import { freshDatabaseUrl } from "@/lib/db/testing/fresh-database";
import { startSandbox, type Sandbox } from "@/lib/sandbox/start";
import { encryptFor } from "@/lib/secrets/field";
import { Secret } from "@/lib/secrets/secret";
import { randomBytes, randomUUID } from "node:crypto";

/** A partner of a test: its own sandbox client, its own people. */
export type TestPartner = {
  id: string;
  environment: "sandbox";
  connectionId: string;
  clientId: string;
  clientSecret: string;
  /** The user id of a person with this role. */
  person: (role: PartnerRole) => Promise<string>;
  /** Whether the service lets this partner's API user in. */
  setActive: (active: boolean) => void;
};

/** A real database and a real sandbox over a socket. */
export type World = {
  sandbox: Sandbox;
  partner: () => Promise<TestPartner>;
  close: () => Promise<void>;
};

/** `upstream` stands in front of the sandbox and gives its own base address. */
export async function startWorld(
  upstream?: (sandboxUrl: string) => Promise<string>,
): Promise<World> {
  const clients: { client_id: string; client_secret: string; active: boolean }[] = [];
  const sandbox = await startSandbox({ clients });
  Object.assign(process.env, {
    DATABASE_URL: await freshDatabaseUrl(),
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    PARTNER_API_ENVIRONMENTS: `sandbox=${upstream ? await upstream(sandbox.url) : sandbox.url}`,
  });
  await migrateToLatest(db());

  async function partner(): Promise<TestPartner> {
    const id = `p-${randomBytes(6).toString("hex")}`;
    const client = { client_id: id, client_secret: randomUUID(), active: true };
    clients.push(client);
    sandbox.setClients(clients);
    const connectionId = await insertPartner(id, client.client_secret);
    return {
      id,
      environment: "sandbox",
      connectionId,
      clientId: id,
      clientSecret: client.client_secret,
      person: (role) => insertPerson(id, role),
      setActive: (active) => {
        client.active = active;
        sandbox.setClients(clients);
      },
    };
  }

  return {
    sandbox,
    partner,
    close: async () => {
      await sandbox.close();
      await db().destroy();
    },
  };
}

async function insertPartner(id: string, clientSecret: string): Promise<string> {
  const connectionId = randomUUID();
  const now = Date.now();
  await db()
    .insertInto("partners")
    .values({ id, name: `Partner ${id}`, created_at: now, suspended_at: null })
    .execute();
  const identity = { table: "connections", row: connectionId, column: "secret" };
  await db()
    .insertInto("connections")
    .values({
      id: connectionId,
      partner_id: id,
      environment: "sandbox",
      client_id: id,
      secret_ciphertext: await encryptFor(db(), id, identity, new Secret(clientSecret)),
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return connectionId;
}

async function insertPerson(partnerId: string, role: PartnerRole): Promise<string> {
  const id = randomUUID();
  const person = { id, email: `${id}@test.example`, name: `The ${role}`, created_at: Date.now() };
  await db()
    .insertInto("users")
    .values({ ...person, password_hash: null, staff_role: null, disabled_at: null })
    .execute();
  await db()
    .insertInto("memberships")
    .values({ partner_id: partnerId, user_id: id, role, created_at: Date.now() })
    .execute();
  return id;
}
