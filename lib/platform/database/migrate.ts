import "server-only";
import { Migrator, PostgresAdapter, sql, type Migration } from "kysely";
import packageJson from "@/package.json";
import { setTimeout as after } from "node:timers/promises";
import { forPrograms, msLeft } from "./deadline";
import { firstTables } from "@/lib/platform/database/migrations/0001-first-tables";
import { signInAttempts } from "@/lib/platform/database/migrations/0002-sign-in-attempts";
import { historyReading } from "@/lib/platform/database/migrations/0003-history-reading";
import { supportAndPartnerList } from "@/lib/platform/database/migrations/0004-support-and-partner-list";
import { connectionsAndInvitations } from "@/lib/platform/database/migrations/0005-connections-and-invitations";
import { sharedTokens } from "@/lib/platform/database/migrations/0006-shared-tokens";
import { identities } from "@/lib/platform/database/migrations/0007-identities";
import { wrappingKeys } from "@/lib/platform/database/migrations/0008-wrapping-keys";
import { secondFactor } from "@/lib/platform/database/migrations/0010-second-factor";
import { reveals } from "@/lib/platform/database/migrations/0012-reveals";
import { fourEyes } from "@/lib/platform/database/migrations/0013-four-eyes";
import { vouchers } from "@/lib/platform/database/migrations/0015-vouchers";
import { historyOfPeople } from "@/lib/platform/database/migrations/0016-history-of-people";
import { proofOfSaves } from "@/lib/platform/database/migrations/0017-proof-of-saves";
import { provenAddresses } from "@/lib/platform/database/migrations/0020-proven-addresses";
import { rateLimits } from "@/lib/platform/database/migrations/0022-rate-limits";
import { passkeys } from "@/lib/platform/database/migrations/0024-passkeys";
import { endedProposals } from "@/lib/platform/database/migrations/0027-ended-proposals";
import { connectionProposals } from "@/lib/platform/database/migrations/0028-connection-proposals";
import { placesOfWhatIsKnown } from "@/lib/platform/database/migrations/0031-places-of-what-is-known";
import { watch } from "@/lib/platform/database/migrations/0032-watch";
import { alerts } from "@/lib/platform/database/migrations/0034-alerts";
import { endpointChecks } from "@/lib/platform/database/migrations/0036-endpoint-checks";
import { endpointCertificates } from "@/lib/platform/database/migrations/0037-endpoint-certificates";
import { partnerLookups } from "@/lib/platform/database/migrations/0038-partner-lookups";
import { usableSince } from "@/lib/platform/database/migrations/0039-usable-since";
import { auditCursors } from "@/lib/platform/database/migrations/0041-audit-cursors";
import { identitiesOfPeople } from "@/lib/platform/database/migrations/0043-identities-of-people";
import { historyCheckpoints } from "@/lib/platform/database/migrations/0044-history-checkpoints";
import { sealedPersons } from "@/lib/platform/database/migrations/0045-sealed-persons";
import { aboutPeople } from "@/lib/platform/database/migrations/0046-about-people";
import type { Db } from "./open";
import { DatabaseUnavailable, isDatabaseUnavailable } from "./unavailable";

/**
 * `usableSince`: the oldest release whose code can still work with the tables after this migration. Left out, only
 * releases that have the migration can. Migrations from 0040 on state it; every release that reads it knows the ones
 * before.
 */
export type Step = Migration & { usableSince?: string };

/** What the code of one release knows of the tables. */
export type Release = { version: string; migrations: Record<string, Step> };

/** In order of their names; a migration that has run anywhere is never edited. */
const migrations: Record<string, Step> = {
  "0001-first-tables": firstTables,
  "0002-sign-in-attempts": signInAttempts,
  "0003-history-reading": historyReading,
  "0004-support-and-partner-list": supportAndPartnerList,
  "0005-connections-and-invitations": connectionsAndInvitations,
  "0006-shared-tokens": sharedTokens,
  "0007-identities": identities,
  "0008-wrapping-keys": wrappingKeys,
  "0010-second-factor": secondFactor,
  "0012-reveals": reveals,
  "0013-four-eyes": fourEyes,
  "0015-vouchers": vouchers,
  "0016-history-of-people": historyOfPeople,
  "0017-proof-of-saves": proofOfSaves,
  "0020-proven-addresses": provenAddresses,
  "0022-rate-limits": rateLimits,
  "0024-passkeys": passkeys,
  "0027-ended-proposals": endedProposals,
  "0028-connection-proposals": connectionProposals,
  "0031-places-of-what-is-known": placesOfWhatIsKnown,
  "0032-watch": watch,
  "0034-alerts": alerts,
  "0036-endpoint-checks": endpointChecks,
  "0037-endpoint-certificates": endpointCertificates,
  "0038-partner-lookups": partnerLookups,
  "0039-usable-since": usableSince,
  "0041-audit-cursors": auditCursors,
  // Adds nothing but an index.
  "0043-identities-of-people": { ...identitiesOfPeople, usableSince: "0.1.0" },
  "0044-history-checkpoints": historyCheckpoints,
  "0045-sealed-persons": sealedPersons,
  "0046-about-people": aboutPeople,
};

export const thisRelease: Release = { version: packageJson.version, migrations };

/**
 * `current`: the tables have everything that this release needs, and newer releases' additions do not disturb it.
 * `newer`: a newer release has changed them so that this one must not work with them.
 */
type SchemaState = "current" | "older" | "newer";

/** Rejects when the database is unavailable. */
export async function schemaState(db: Db, release = thisRelease): Promise<SchemaState> {
  const { pending, unusable } = await compare(db, release);
  if (unusable.length > 0) return "newer";
  return pending.length > 0 ? "older" : "current";
}

type Comparison = {
  /** Migrations of this release that have not run. */
  pending: string[];
  /** Of newer releases, in order, and have run. */
  foreign: string[];
  /** Those of `foreign` with which this release cannot work, and the first release that can; null: unknown. */
  unusable: { migration: string; since: string | null }[];
};

async function compare(db: Db, { version, migrations: own }: Release): Promise<Comparison> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const has = (name: string) => tables.some((table) => table.name === name);
  const executed = has("kysely_migration")
    ? (await sql<{ name: string }>`select name from kysely_migration`.execute(db)).rows
    : [];
  const names = new Set(executed.map(({ name }) => name));
  const foreign = [...names].filter((name) => !Object.hasOwn(own, name)).sort();
  const uses =
    foreign.length > 0 && has("migration_uses")
      ? await db.selectFrom("migration_uses").selectAll().execute()
      : [];
  const since = new Map(uses.map((use) => [use.migration, use.usable_since]));
  return {
    pending: Object.keys(own).filter((name) => !names.has(name)),
    foreign,
    unusable: foreign
      .map((migration) => ({ migration, since: since.get(migration) ?? null }))
      .filter((each) => each.since === null || isOlder(version, each.since)),
  };
}

/** Of versions such as 1.20.3. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

type Options = {
  release?: Release;
  /** How long a migration waits for a table's lock before it lets others go first. */
  lockMs?: number;
  /** For how long it tries again after that. */
  patienceMs?: number;
};

/**
 * Brings the schema up to date; does nothing when it is, or when a newer release has brought it further and this one
 * can still work with it. Safe when several processes start at once. Resolves with the number of migrations that ran.
 * Rejects with the first migration's error, or where this release cannot work with the tables; a failure leaves the
 * schema as it was.
 */
export async function migrateToLatest(db: Db, options: Options = {}): Promise<number> {
  const { release = thisRelease, lockMs = tableLockMs, patienceMs = lockPatienceMs } = options;
  // SQLite's one writer is lock enough.
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return migrate(db, release, null);
  const giveUpAt = performance.now() + msLeft(forPrograms.statementMs);
  const giveUpLocksAt = performance.now() + Math.min(patienceMs, msLeft(forPrograms.statementMs));
  // One connection holds the lock and does nothing else; the migrator uses another. A waiting process holds none:
  // behind a pooler with few connections, many instances that start at once would leave none to the one that migrates.
  const whenLocked = () =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as taken`.execute(trx);
      return rows[0]?.taken ? migrate(db, release, lockMs) : null;
    });
  const attempt = () =>
    whenLocked().catch((error: unknown) => {
      const isLocked = isDatabaseUnavailable(error) && error.reason === "locked";
      if (!isLocked || performance.now() > giveUpLocksAt) throw error;
      return null;
    });
  for (;;) {
    const ran = await attempt();
    if (ran !== null) return ran;
    if (performance.now() > giveUpAt)
      throw new DatabaseUnavailable(
        "locked",
        "another instance is changing the tables for too long",
      );
    await after(pollMs);
  }
}

const pollMs = 200;

/**
 * A statement that changes a table waits until nobody reads it, and later readers wait behind it: no longer than this,
 * which is less than requests wait for an answer.
 */
const tableLockMs = 3_000;

/** For one statement of a migration. The server ends it a little before this program stops waiting for it. */
const slowestMs = forPrograms.statementMs - 1_000;

/** No request has a transaction that is open for longer. */
const lockPatienceMs = 60_000;

/** The migrator's own lock, which instances of older versions also take. */
const lockId = 3_853_314_791_062_309_107n;

async function migrate(db: Db, release: Release, lockMs: number | null): Promise<number> {
  const { foreign, unusable } = await compare(db, release);
  const [first] = unusable;
  if (first)
    throw new Error(
      `a newer release has changed its tables (${unusable.map(({ migration }) => migration).join(", ")}), ` +
        `and release ${release.version} cannot work with them: ` +
        (first.since === null ? "start the newer release" : `start ${first.since} or newer`) +
        ", or restore the backup from before the upgrade. Nothing was changed",
    );
  const known = Object.entries(release.migrations).map(([name, step]): [string, Migration] => [
    name,
    { up: (trx: Db) => run(trx, name, step, lockMs) },
  ]);
  // The migrator takes unknown migrations for damage.
  const others = foreign.map((name): [string, Migration] => [name, { up: async () => undefined }]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries([...known, ...others]) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.length;
}

/** All pending migrations share a transaction, with which these limits end. */
async function run(trx: Db, name: string, step: Step, lockMs: number | null): Promise<void> {
  if (lockMs !== null) {
    await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(trx);
    await sql`set local statement_timeout = ${sql.lit(slowestMs)}`.execute(trx);
  }
  await step.up(trx);
  if (step.usableSince !== undefined)
    await trx
      .insertInto("migration_uses")
      .values({ migration: name, usable_since: step.usableSince })
      .execute();
}
