import "server-only";
import { Migrator, PostgresAdapter, sql, type Migration } from "kysely";
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
import { partnerLookups } from "@/lib/platform/database/migrations/0038-partner-lookups";
import type { Db } from "./open";
import { DatabaseUnavailable } from "./unavailable";

/** In order of their names; one that has run anywhere is never edited. */
const migrations: Record<string, Migration> = {
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
  "0038-partner-lookups": partnerLookups,
};

/** Whether the schema is at least that of this version. Rejects when the database cannot be asked. */
export async function isUpToDate(db: Db): Promise<boolean> {
  const known = await migratorOf(db).getMigrations();
  return known.every(({ executedAt }) => executedAt !== undefined);
}

function migratorOf(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * Brings the schema up to date; does nothing when it is. Safe when several processes start at once.
 * Rejects with the first migration's error; a failed migration leaves the schema as it was before it.
 */
export async function migrateToLatest(db: Db): Promise<void> {
  const migrate = async () => {
    const { error } = await migratorOf(db).migrateToLatest();
    if (error) throw error;
  };
  // SQLite's one writer is lock enough.
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return migrate();
  const giveUpAt = performance.now() + msLeft(forPrograms.statementMs);
  // One connection holds the lock and does nothing else; the migrator uses another. Whoever waits holds none: behind a
  // pooler with few connections, many copies that start at once would leave none to the one that migrates.
  const whenLocked = () =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as taken`.execute(trx);
      if (rows[0]?.taken) await migrate();
      return rows[0]?.taken;
    });
  while (!(await whenLocked())) {
    if (performance.now() > giveUpAt)
      throw new DatabaseUnavailable("locked", "another copy is changing the tables for too long");
    await after(pollMs);
  }
}

const pollMs = 200;

/** The one that the migrator itself takes, and so do copies of versions that leave it to do so. */
const lockId = 3_853_314_791_062_309_107n;
