import { secretIdentity } from "@/lib/partners/server/connection";
import { insertPartner } from "@/lib/partners/server/create-partner";
import type { Db } from "@/lib/platform/database/open";
import { encryptFor } from "@/lib/platform/secrets/field";
import { Secret } from "@/lib/platform/runtime/secret";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { randomUUID } from "node:crypto";
import { directService } from "@/e2e/fixtures/direct-service";
import { sessionToken } from "@/lib/platform/auth/sessions/session-token";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";

/** One client of the payment service, and Gancho's partner for it. */
export type SoakPartner = { id: string; secret: string; environment: string; connectionId: string };

/** Adds a partner that calls through `environment`, with these people in it. */
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
      .values({ partner_id: id, user_id: person.id, role: person.role, created_at: now })
      .execute();
  return { id, secret: client.client_secret, environment, connectionId };
}

/** What the service really holds of a partner: the address of each registered type. */
export async function held(sandboxUrl: string, partner: SoakPartner): Promise<Map<string, string>> {
  const client = { client_id: partner.id, client_secret: partner.secret };
  const webhooks = await directService(client, sandboxUrl).list();
  return new Map(webhooks.map(({ type, callback_url }) => [type, callback_url]));
}

export type Person = { id: string; name: string; role: PartnerRole; cookie: string };

/** A signed-in person, with this role in every partner. */
export async function addPerson(
  db: Db,
  name: string,
  role: PartnerRole = "admin",
): Promise<Person> {
  const id = randomUUID();
  await db
    .insertInto("users")
    .values({
      id,
      email: `${id}@soak.example`,
      name,
      password_hash: null,
      staff_role: null,
      disabled_at: null,
      created_at: Date.now(),
    })
    .execute();
  const session = await startSession(db, id, { clientAddress: null, userAgent: "soak" });
  const cookie = `${sessionCookieName(false)}=${await sessionToken(session)}`;
  return { id, name, role, cookie };
}
