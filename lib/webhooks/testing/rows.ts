import type { PartnerRole } from "@/lib/platform/access/model/roles";
import type { Executor } from "@/lib/platform/database/open";
import { insertWith } from "@/lib/platform/database/testing/rows";
import type { Database } from "@/lib/platform/database/tables";
import { Secret } from "@/lib/platform/runtime/secret";
import { encryptFor } from "@/lib/platform/secrets/field";
import type { Insertable } from "kysely";
import { randomUUID } from "node:crypto";

/** A person without a password, unless `values` say otherwise. Gives their id. */
export async function insertUser(
  executor: Executor,
  values: Partial<Insertable<Database["users"]>> = {},
): Promise<string> {
  const { id = randomUUID(), ...others } = values;
  const row = { id, email: `${id}@test.example`, name: "Somebody", created_at: Date.now() };
  await insertWith(executor, "users", [{ ...row, ...others }]);
  return id;
}

export function insertMember(
  executor: Executor,
  partner_id: string,
  user_id: string,
  role: PartnerRole,
): Promise<void> {
  const row = { partner_id, user_id, role, created_at: Date.now() };
  return insertWith(executor, "memberships", [row]);
}

/** Connects a partner in an environment, as this client of the service. Gives the connection's id. */
export async function insertConnection(
  executor: Executor,
  partner_id: string,
  environment: string,
  client: { client_id: string; client_secret: string },
): Promise<string> {
  const id = randomUUID();
  const identity = { table: "connections", row: id, column: "secret" };
  const secret = new Secret(client.client_secret);
  const secret_ciphertext = await encryptFor(executor, partner_id, identity, secret);
  const { client_id } = client;
  const since = { version: 1, updated_at: Date.now() };
  await insertWith(executor, "connections", [
    { id, partner_id, environment, client_id, secret_ciphertext, ...since },
  ]);
  return id;
}
