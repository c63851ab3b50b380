import { secretIdentity } from "@/lib/partners/server/connection";
import { insertPartner } from "@/lib/partners/server/create-partner";
import type { Db } from "@/lib/platform/database/open";
import { encryptFor } from "@/lib/platform/secrets/field";
import { Secret } from "@/lib/platform/runtime/secret";
import { randomUUID } from "node:crypto";
import type { Person } from "./person";

/** One client of the payment service, and Gancho's partner for it. */
export type SoakPartner = { id: string; secret: string; environment: string; connectionId: string };

/** Adds a partner that calls through `environment`, of which these people are admins. */
export async function addPartner(
  db: Db,
  client: { client_id: string; client_secret: string },
  environment: string,
  people: readonly Person[],
): Promise<SoakPartner> {
  const id = client.client_id;
  const connectionId = randomUUID();
  const now = Date.now();
  await db.transaction().execute((trx) => insertPartner(trx, { id, name: `Partner ${id}` }));
  const secret = new Secret(client.client_secret);
  await db
    .insertInto("connections")
    .values({
      id: connectionId,
      partner_id: id,
      environment,
      client_id: id,
      secret_ciphertext: await encryptFor(db, id, secretIdentity(connectionId), secret),
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .execute();
  for (const person of people)
    await db
      .insertInto("memberships")
      .values({ partner_id: id, user_id: person.id, role: "admin", created_at: now })
      .execute();
  return { id, secret: client.client_secret, environment, connectionId };
}
