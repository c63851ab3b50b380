import "server-only";
import { Migrator, type Migration } from "kysely";
import { firstTables } from "./migrations/0001-first-tables";
import { signInAttempts } from "./migrations/0002-sign-in-attempts";
import { historyReading } from "./migrations/0003-history-reading";
import { supportAndPartnerList } from "./migrations/0004-support-and-partner-list";
import { connectionsAndInvitations } from "./migrations/0005-connections-and-invitations";
import { sharedTokens } from "./migrations/0006-shared-tokens";
import { identities } from "./migrations/0007-identities";
import { wrappingKeys } from "./migrations/0008-wrapping-keys";
import { secondFactor } from "./migrations/0010-second-factor";
import { reveals } from "./migrations/0012-reveals";
import { fourEyes } from "./migrations/0013-four-eyes";
import { vouchers } from "./migrations/0015-vouchers";
import { historyOfPeople } from "./migrations/0016-history-of-people";
import { passkeys } from "./migrations/0024-passkeys";
import type { Db } from "./open";

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
  "0024-passkeys": passkeys,
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
  const { error } = await migratorOf(db).migrateToLatest();
  if (error) throw error;
}
