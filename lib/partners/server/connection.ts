import "server-only";
import { randomUUID } from "node:crypto";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { ConnectionRow } from "@/lib/platform/database/tables";
import { db, isPostgres, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { preloadDataKeys } from "@/lib/platform/secrets/data-key";
import { keyring } from "@/lib/platform/secrets/envelope";
import { decryptFor, encryptFor, type FieldIdentity } from "@/lib/platform/secrets/field";

/** Names a partner's environment, whether it is connected or not. */
export type EnvironmentRef = { partnerId: string; environment: string };

/**
 * The partner's connection for one environment, its secret decrypted, or null where none is set up. Checks no access:
 * call `requirePartner` first.
 */
export async function connectionOf(
  partnerId: string,
  environment: { name: string; baseUrl: string },
  executor: Executor = db(),
): Promise<PartnerConnection | null> {
  const row = await executor
    .selectFrom("connections")
    .select(storedFields)
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment.name)
    .executeTakeFirst();
  return row ? openConnection(row, environment.baseUrl, executor) : null;
}

const storedFields = [
  ...(["id", "partner_id", "environment", "version"] as const),
  ...(["client_id", "secret_ciphertext"] as const),
] as const;

/** As it is stored, the secret encrypted. */
export type StoredConnection = Pick<ConnectionRow, (typeof storedFields)[number]>;

/** The connections with these ids, for `openConnection`; leaves out removed ones. Checks no access. */
export async function storedConnections(ids: readonly string[]): Promise<StoredConnection[]> {
  if (ids.length === 0) return [];
  const rows = await db()
    .selectFrom("connections")
    .select(storedFields)
    .where("id", "in", ids)
    .execute();
  const partnerIds = rows.map(({ partner_id }) => partner_id);
  await preloadDataKeys(db(), keyring(), partnerIds);
  return rows;
}

/** Decrypts the secret. Throws `EnvelopeError` where that fails. */
export async function openConnection(
  row: StoredConnection,
  baseUrl: string,
  executor: Executor = db(),
): Promise<PartnerConnection> {
  return {
    id: row.id,
    environment: row.environment,
    version: row.version,
    baseUrl,
    clientId: row.client_id,
    clientSecret: await decryptFor(
      executor,
      row.partner_id,
      secretIdentity(row.id),
      row.secret_ciphertext,
    ),
  };
}

type NewConnection = {
  partnerId: string;
  environment: string;
  clientId: string;
  clientSecret: Secret;
};

/**
 * Adds a partner's connection for an environment that has none yet. Returns its id; null where there is one, which stays.
 */
export async function addConnection(
  db: Executor,
  connection: NewConnection,
): Promise<string | null> {
  const id = randomUUID();
  const { partnerId, environment, clientId, clientSecret } = connection;
  const added = await db
    .insertInto("connections")
    .values({
      id,
      partner_id: partnerId,
      environment,
      client_id: clientId,
      secret_ciphertext: await encryptFor(db, partnerId, secretIdentity(id), clientSecret),
      version: 1,
      updated_at: databaseTime(),
    })
    .onConflict((conflict) => conflict.columns(["partner_id", "environment"]).doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n ? id : null;
}

/**
 * Keeps the client of a connection as it is until the transaction ends. On PostgreSQL, rows that refer to the connection
 * wait for whoever replaces its client. So a transaction that writes one, and locks what a replacement locks as well, calls
 * this first: in another order, PostgreSQL may end one of the two.
 */
export async function keepClient(trx: Executor, connectionId: string): Promise<void> {
  if (!isPostgres(env().databaseUrl.reveal())) return;
  await trx
    .selectFrom("connections")
    .select("id")
    .where("id", "=", connectionId)
    .forKeyShare()
    .execute();
}

/** The context that a connection's client secret is encrypted for. */
export function secretIdentity(connectionId: string): FieldIdentity {
  return { table: "connections", row: connectionId, column: "secret" };
}
