import { insertPartner } from "@/lib/partners/server/change-partner";
import type { Db } from "@/lib/platform/database/open";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { insertConnection, insertMember, insertUser } from "@/lib/webhooks/testing/rows";
import { directService } from "@/e2e/fixtures/direct-service";
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
  await db.transaction().execute((trx) => insertPartner(trx, { id, name: `Partner ${id}` }));
  const connectionId = await insertConnection(db, id, environment, client);
  for (const person of people) await insertMember(db, id, person.id, person.role);
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
async function addPerson(db: Db, name: string, role: PartnerRole = "admin"): Promise<Person> {
  const id = await insertUser(db, { name });
  return { id, name, role, cookie: await cookieOf(db, id) };
}

/** Two admins and an editor. */
export type People = [Person, Person, Person];

export async function addPeople(db: Db): Promise<People> {
  return [
    await addPerson(db, "Ana"),
    await addPerson(db, "Bruno"),
    await addPerson(db, "Clara", "editor"),
  ];
}

/** The Cookie header of a person who has just signed in. */
export async function cookieOf(db: Db, id: string): Promise<string> {
  const from = { clientAddress: null, userAgent: "soak" };
  const session = await startSession(db, id, from, { by: "single_sign_on" });
  return `${sessionCookieName(false)}=${session}`;
}
