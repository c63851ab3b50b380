import { importAll, planAll, termsOf } from "@/lib/cli/import-partners/import";
import { readLines } from "@/lib/cli/import-partners/lines";
import { recordStaffAdded } from "@/lib/staff/server/staff";
import { demoPassword } from "@/lib/platform/env/mode";
import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { db, type Db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ensurePrivateDir } from "@/lib/platform/runtime/folders";
import { atTheTerminal } from "@/lib/history/server/record/record";
import { type SandboxClient, readClientsFile, demoClients } from "@/lib/sandbox/clients";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { CliError } from "@/lib/cli/failure";
import {
  demoPartners,
  demoPeople,
  demoProduction,
  hasMarker,
  setMarker,
  type DemoPerson,
} from "./data";

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
 * Adds the missing partners and connections, from a file as an operator would, and then the missing people: all of them
 * or, if the process ends half-way, none. Keeps later changes.
 */
export async function fillDatabase(
  environments: readonly string[],
  clients: ReadonlyMap<string, SandboxClient>,
): Promise<void> {
  await setMarker(db(), "demo");
  await importPartners(await missingLines(environments, clients));
  const missing = await missingPeople(db());
  const hashes = await Promise.all(
    missing.map(() => (providerDecides() ? null : hashPassword(demoPassword, hashOfProgram))),
  );
  await db()
    .transaction()
    .execute(async (trx) => {
      const added = [];
      for (const [index, person] of missing.entries())
        added.push({ ...person, id: await addPerson(trx, person, hashes[index] ?? null) });
      for (const person of added)
        if ("staffRole" in person)
          await recordStaffAdded(trx, { ...person, role: person.staffRole }, atTheTerminal);
    });
}

/** In GANCHO_DATA_DIR, to look at: as an operator would write it. */
const fileName = "demo-partners.jsonl";

async function importPartners(lines: readonly object[]): Promise<void> {
  if (lines.length === 0) return;
  const file = path.join(env().dataDir, fileName);
  ensurePrivateDir(env().dataDir);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(file, text, { mode: 0o600 });
  const read = readLines(text, new Set(env().environments.keys()));
  const terms = termsOf({ reason: null, resend: false, mail: false });
  const unheard = { check: false, tell: () => undefined, waiting: () => undefined };
  const planned = await planAll(read.lines, terms, unheard);
  const { faults } = await importAll(planned.plans, terms, unheard);
  const wrong = [...read.faults, ...faults].map(
    ({ line, what }) => `${file}: line ${line} ${what}`,
  );
  if (wrong.length > 0) throw new CliError(...wrong);
}

/** The lines of the file, without connections that are there: somebody may have changed them. */
async function missingLines(
  environments: readonly string[],
  clients: ReadonlyMap<string, SandboxClient>,
): Promise<object[]> {
  const partners = await db().selectFrom("partners").select(["id", "name"]).execute();
  const there = await db()
    .selectFrom("connections")
    .select(["partner_id", "environment"])
    .execute();
  return demoPartners.flatMap(({ id, name }) => {
    const known = partners.find((partner) => partner.id === id);
    const missing = environments
      .filter((each) => !there.some((row) => row.partner_id === id && row.environment === each))
      .map((environment) => [environment, clientOf(id, environment, clients)] as const)
      .filter(([, client]) => client !== undefined);
    if (known && missing.length === 0) return [];
    return [{ id, name: known?.name ?? name, connections: Object.fromEntries(missing) }];
  });
}

function providerDecides(): boolean {
  return env().oidc?.isOnlyWay === true;
}

/** Where the provider decides, the staff are there once they have signed in; the story needs the others. */
async function missingPeople(db: Executor): Promise<readonly DemoPerson[]> {
  const there = await db.selectFrom("users").select("email").execute();
  return demoPeople
    .filter((person) => "partner" in person || !providerDecides())
    .filter(({ email }) => !there.some((person) => person.email === email));
}

async function addPerson(
  db: Executor,
  person: DemoPerson,
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
      .values({
        partner_id: person.partner,
        user_id: id,
        role: person.role,
        managed: providerDecides() ? 1 : 0,
        created_at: now,
      })
      .execute();
  return id;
}

/** In production each has another client. The sandbox has none for Tietê there: that is the failing connection. */
function clientOf(
  partnerId: string,
  environment: string,
  clients: ReadonlyMap<string, SandboxClient>,
): Pick<SandboxClient, "client_id" | "client_secret"> | undefined {
  const isLive = environment === demoProduction && clients.has("aurora-live");
  const client_id = isLive ? `${partnerId}-live` : partnerId;
  const client_secret = clients.get(client_id)?.client_secret;
  if (client_secret === undefined && !isLive) return undefined;
  return { client_id, client_secret: client_secret ?? "gancho-demo-only-unknown" };
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
