import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { AlertQueue } from "@/lib/alerts/model/alert";
import { readAlertQueue } from "@/lib/alerts/server/send";
import { countWithStatus } from "@/lib/partners/server/list/having-status";
import { partnersWithoutSecondPerson } from "@/lib/team/server/four-eyes/requirement";
import type { StaffAccess } from "@/lib/platform/access/require";
import { db, isPostgres, type Executor } from "@/lib/platform/database/open";
import { env, lookOldAfterMs } from "@/lib/platform/env/env";
import { keysInUse } from "@/lib/platform/secrets/key-faults";
import { keyring } from "@/lib/platform/secrets/envelope";
import type { EnvironmentHealth, Health } from "@/lib/installation/model/health";
import packageJson from "@/package.json";
import { sql } from "kysely";

/** An operator's first page. Only reads the database. */
export async function readHealth(_access: StaffAccess<"installation.read">): Promise<Health> {
  return measureHealth(db());
}

/** Without a person's access; a test passes an executor that sees which tables it reads. */
export async function measureHealth(executor: Executor): Promise<Health> {
  const config = env();
  const started = performance.now();
  await sql`select 1`.execute(executor);
  const answeredInMs = Math.round((performance.now() - started) * 10) / 10;
  const environments: EnvironmentHealth[] = [];
  for (const [name, baseUrl] of config.environments)
    environments.push(await environmentHealth(executor, name, baseUrl));
  const queue = await readAlertQueue(executor);
  return {
    version: packageJson.version,
    node: process.version,
    database: {
      engine: isPostgres(config.databaseUrl.reveal()) ? "PostgreSQL" : "SQLite",
      answeredInMs,
      schema: await lastMigration(executor),
    },
    partners: await countPartners(executor),
    withoutSecondPerson: await partnersWithoutSecondPerson(executor),
    people: await countPeople(executor),
    mail: config.mail !== null,
    alerts: { webhook: config.alertsWebhook !== null, isLate: isLate(queue), ...queue },
    singleSignOn: config.oidc !== null,
    keys: await keysInUse(executor, keyring()),
    environments,
  };
}

/** A delivery that fails is tried again within a minute, and then ever later: one failure is none yet. */
const lateMs = 10 * 60_000;

function isLate({ waitingSince }: AlertQueue): boolean {
  return waitingSince !== null && databaseTime() - Date.parse(waitingSince) > lateMs;
}

async function environmentHealth(
  executor: Executor,
  name: string,
  baseUrl: string,
): Promise<EnvironmentHealth> {
  const { connections } = await executor
    .selectFrom("connections")
    .select(({ fn }) => fn.countAll<number>().as("connections"))
    .where("environment", "=", name)
    .executeTakeFirstOrThrow();
  // Reads the overview of each connection's last reading, which is much smaller than the full result.
  const { last } = await executor
    .selectFrom("reading_schedule")
    .select(({ fn }) => fn.max("confirmed_at").as("last"))
    .where("environment", "=", name)
    .where("base_url", "=", baseUrl)
    .executeTakeFirstOrThrow();
  return {
    name,
    host: new URL(baseUrl).host,
    connections,
    failing: await countWithStatus(executor, "failing", { environment: name, baseUrl }),
    lastConfirmedAt: last === null ? null : new Date(last).toISOString(),
    isOld: last !== null && databaseTime() - last > lookOldAfterMs(env()),
  };
}

async function countPartners(executor: Executor): Promise<Health["partners"]> {
  const counting = executor
    .selectFrom("partners")
    .select(({ fn }) => fn.countAll<number>().as("n"));
  const all = await counting.executeTakeFirstOrThrow();
  const suspended = await counting.where("suspended_at", "is not", null).executeTakeFirstOrThrow();
  return { all: all.n, suspended: suspended.n };
}

async function countPeople(executor: Executor): Promise<number> {
  const counting = executor.selectFrom("users").select(({ fn }) => fn.countAll<number>().as("n"));
  const all = await counting.executeTakeFirstOrThrow();
  const disabled = await counting.where("disabled_at", "is not", null).executeTakeFirstOrThrow();
  return all.n - disabled.n;
}

async function lastMigration(executor: Executor): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(executor);
  return rows[0]?.name ?? "none";
}
