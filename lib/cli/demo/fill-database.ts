import { addConnection } from "@/lib/partners/server/connection";
import { insertPartner } from "@/lib/partners/server/change-partner";
import { recordStaffAdded } from "@/lib/staff/server/staff";
import { demoPassword } from "@/lib/platform/env/mode";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import type { Db, Executor } from "@/lib/platform/database/open";
import { atTheTerminal } from "@/lib/history/server/record/record";
import { type SandboxClient, readClientsFile, demoClients } from "@/lib/sandbox/clients";
import { Secret } from "@/lib/platform/runtime/secret";
import { randomUUID } from "node:crypto";
import { CliError } from "@/lib/cli/failure";
import { demoPartners, demoPeople, demoProduction, hasMarker, setMarker } from "./data";

/** Throws `CliError` for a database with people in it that the demo did not make. */
export async function refuseOthersDatabase(db: Db): Promise<void> {
  if (await hasMarker(db, "demo")) return;
  const person = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  if (person)
    throw new CliError(
      "DATABASE_URL is a database in use: the demo would add people with a public password to it; set another",
    );
}

/**
 * Adds the missing partners, people and connections: all of them or, if the process ends half-way, none. Keeps later
 * changes.
 */
export async function fillDatabase(
  db: Db,
  environments: readonly string[],
  clients: ReadonlyMap<string, SandboxClient>,
): Promise<void> {
  const missing = await missingPeople(db);
  const hashes = await Promise.all(missing.map(() => hashPassword(demoPassword)));
  await db.transaction().execute(async (trx) => {
    await setMarker(trx, "demo");
    for (const { id, name } of demoPartners) await insertPartner(trx, { id, name });
    const added = [];
    for (const [index, person] of missing.entries())
      added.push({ ...person, id: await addPerson(trx, person, hashes[index] ?? null) });
    for (const { id } of demoPartners) await addConnections(trx, id, environments, clients);
    for (const person of added)
      if ("staffRole" in person)
        await recordStaffAdded(trx, { ...person, role: person.staffRole }, atTheTerminal);
  });
}

async function missingPeople(db: Executor): Promise<typeof demoPeople> {
  const there = await db.selectFrom("users").select("email").execute();
  return demoPeople.filter(({ email }) => !there.some((person) => person.email === email));
}

async function addPerson(
  db: Executor,
  person: (typeof demoPeople)[number],
  passwordHash: string | null,
): Promise<string> {
  const id = randomUUID();
  const now = Date.now();
  await db
    .insertInto("users")
    .values({
      id,
      email: person.email,
      name: person.name,
      password_hash: passwordHash,
      staff_role: "staffRole" in person ? person.staffRole : null,
      disabled_at: null,
      created_at: now,
    })
    .execute();
  if ("partner" in person)
    await db
      .insertInto("memberships")
      .values({ partner_id: person.partner, user_id: id, role: person.role, created_at: now })
      .execute();
  return id;
}

async function addConnections(
  db: Executor,
  partnerId: string,
  environments: readonly string[],
  clients: ReadonlyMap<string, SandboxClient>,
): Promise<void> {
  for (const environment of environments) {
    const client = clientOf(partnerId, environment, clients);
    if (!client) continue;
    await addConnection(db, {
      partnerId,
      environment,
      clientId: client.client_id,
      clientSecret: new Secret(client.client_secret),
    });
  }
}

/** In production each has another client. The sandbox has none for Tietê there: that is the failing connection. */
function clientOf(
  partnerId: string,
  environment: string,
  clients: ReadonlyMap<string, SandboxClient>,
): Pick<SandboxClient, "client_id" | "client_secret"> | undefined {
  const own = clients.get(partnerId);
  if (environment !== demoProduction || !clients.has("aurora-live")) return own;
  const client_id = `${partnerId}-live`;
  return clients.get(client_id) ?? { client_id, client_secret: "gancho-demo-only-unknown" };
}

/** The sandbox's clients, by id: those of the file of SANDBOX_CLIENTS where it is set, else the demo's. */
export function sandboxClients(file: string | null): ReadonlyMap<string, SandboxClient> {
  const clients: readonly SandboxClient[] = file === null ? demoClients : read(file);
  return new Map(clients.map((client) => [client.client_id, client]));
}

function read(file: string): readonly SandboxClient[] {
  const list = readClientsFile(file);
  if (list.ok) return list.clients;
  throw new CliError(...list.problems.map((problem) => `SANDBOX_CLIENTS ${file} ${problem}`));
}
