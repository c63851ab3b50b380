import "server-only";
import { requireStaff } from "@/lib/platform/access/require";
import { db, isPostgres, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { countFlagged } from "@/lib/partners/server/list/count-flagged";
import { isOrNull } from "@/lib/partners/server/list/read-lines";
import { keysInUse, type KeyReport } from "@/lib/platform/secrets/key-report";
import { keyringOf } from "@/lib/platform/secrets/keyring";
import packageJson from "@/package.json";
import { sql } from "kysely";

/** How one environment does, as far as Gancho has seen. */
export type EnvironmentHealth = {
  name: string;
  /** Host of the payment service there. */
  host: string;
  connections: number;
  /** Partners whose last look failed. */
  failing: number;
  /** When the service last confirmed anything, ISO 8601 UTC; null when it never did. */
  lastConfirmedAt: string | null;
};

export type Health = {
  version: string;
  node: string;
  database: {
    engine: "SQLite" | "PostgreSQL";
    /** How long it took to answer, milliseconds. */
    answeredInMs: number;
    /** The last change of the tables that ran. */
    schema: string;
  };
  partners: { all: number; suspended: number };
  people: number;
  mail: boolean;
  singleSignOn: boolean;
  /** What each key of ENCRYPTION_KEYS is still needed for, the active one first. */
  keys: KeyReport[];
  environments: EnvironmentHealth[];
};

/** What an operator looks at first. Asks nobody but the database. Throws the problems of `requireStaff`. */
export async function readHealth(): Promise<Health> {
  await requireStaff("installation.read");
  return measureHealth(db());
}

/** Without a person who asks: for the command line. */
export async function measureHealth(executor: Executor): Promise<Health> {
  const config = env();
  const started = performance.now();
  await sql`select 1`.execute(executor);
  const answeredInMs = Math.round((performance.now() - started) * 10) / 10;
  const environments: EnvironmentHealth[] = [];
  for (const [name, baseUrl] of config.environments)
    environments.push(await environmentHealth(executor, name, baseUrl));
  return {
    version: packageJson.version,
    node: process.version,
    database: {
      engine: isPostgres(config.databaseUrl.reveal()) ? "PostgreSQL" : "SQLite",
      answeredInMs,
      schema: await lastMigration(executor),
    },
    partners: await countPartners(executor),
    people: await countPeople(executor),
    mail: config.mail !== null,
    singleSignOn: config.oidc !== null,
    keys: await keysInUse(executor, keyringOf(config.encryptionKeys)),
    environments,
  };
}

async function environmentHealth(
  executor: Executor,
  name: string,
  baseUrl: string,
): Promise<EnvironmentHealth> {
  const { connections, last } = await executor
    .selectFrom("connections")
    .leftJoin("confirmed_configurations as confirmed", (join) =>
      join
        .onRef("confirmed.connection_id", "=", "connections.id")
        .on(isOrNull("confirmed.base_url", baseUrl))
        .on(isOrNull("confirmed.client_id", sql.ref("connections.client_id"))),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as("connections"),
      fn.max("confirmed.confirmed_at").as("last"),
    ])
    .where("connections.environment", "=", name)
    .executeTakeFirstOrThrow();
  return {
    name,
    host: new URL(baseUrl).host,
    connections,
    failing: await countFlagged(executor, "failing", name),
    lastConfirmedAt: last === null ? null : new Date(last).toISOString(),
  };
}

async function countPartners(executor: Executor): Promise<Health["partners"]> {
  const { all } = await executor
    .selectFrom("partners")
    .select(({ fn }) => fn.countAll<number>().as("all"))
    .executeTakeFirstOrThrow();
  return { all, suspended: await countFlagged(executor, "suspended", "") };
}

async function countPeople(executor: Executor): Promise<number> {
  const { people } = await executor
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("people"))
    .where("disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  return people;
}

async function lastMigration(executor: Executor): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(executor);
  return rows[0]?.name ?? "none";
}
