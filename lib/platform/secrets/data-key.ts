import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { randomBytes, randomUUID } from "node:crypto";
import { EnvelopeError, open, seal, type Keyring, type WrappingKey } from "./envelope";

/** A partner's key: encrypts its fields, and keys the fingerprints and revisions of its values. */
export type DataKey = { id: string; bytes: Uint8Array };

/** A stored data key. */
export type WrappedKey = {
  id: string;
  partner_id: string;
  wrapping_key_id: string;
  wrapped: string;
};

/** Unwrapped keys of partners in use, per database. Bounded: memory does not grow with the number of partners. */
const maxCached = 500;
const caches = () => processWide("data-keys", () => new WeakMap<object, Map<string, DataKey>>());
/** A database and its transactions share it. */
const databaseOf = (db: Executor) => db.getExecutor().adapter;

/** The partner's key, made on demand. Throws `EnvelopeError` when the keyring does not open it. */
export async function dataKeyFor(
  db: Executor,
  keyring: Keyring,
  partnerId: string,
): Promise<DataKey> {
  const known = caches().get(databaseOf(db))?.get(partnerId);
  if (known) return known;
  const row = (await findDataKey(db, partnerId)) ?? (await make(db, keyring, partnerId));
  const key = unwrapDataKey(keyring, row);
  // Inside a transaction the row may yet be rolled back; a remembered key without a row would lose what it encrypts.
  if (!db.isTransaction) remember(db, partnerId, key);
  return key;
}

/** Takes the keys of many partners into memory with one statement, for work that is about to need each of them. */
export async function preloadDataKeys(
  db: Executor,
  keyring: Keyring,
  partnerIds: readonly string[],
): Promise<void> {
  const cache = caches().get(databaseOf(db));
  const missing = [...new Set(partnerIds)].filter((partnerId) => !cache?.has(partnerId));
  if (missing.length === 0) return;
  const rows = await db
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("partner_id", "in", missing)
    .execute();
  for (const row of rows) {
    const key = tryUnwrapDataKey(keyring, row);
    // A key that does not open is reported by the work that needs it.
    if (key) remember(db, row.partner_id, key);
  }
}

function remember(db: Executor, partnerId: string, key: DataKey): void {
  const cache = caches().get(databaseOf(db)) ?? new Map<string, DataKey>();
  caches().set(databaseOf(db), cache);
  const oldest = cache.size >= maxCached ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(partnerId, key);
}

export async function findDataKey(
  db: Executor,
  partnerId: string,
): Promise<WrappedKey | undefined> {
  return db
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();
}

async function make(db: Executor, keyring: Keyring, partnerId: string): Promise<WrappedKey> {
  await makeDataKeys(db, keyring, [partnerId]);
  const row = await findDataKey(db, partnerId);
  if (!row) throw new Error("a data key that was just written is not there");
  return row;
}

/** One for each of some hundred owners, in one statement; keeps existing ones. */
export async function makeDataKeys(
  db: Executor,
  { active }: Keyring,
  owners: readonly string[],
): Promise<void> {
  if (owners.length === 0) return;
  await db
    .insertInto("data_keys")
    .values(
      owners.map((partner_id) => {
        const id = randomUUID();
        return {
          id,
          partner_id,
          wrapping_key_id: active.id,
          created_at: Date.now(),
          wrapped: wrapDataKey(active, { id, partner_id }, randomBytes(32)),
        };
      }),
    )
    // Another process may have been first; its key then is the owner's key.
    .onConflict((conflict) => conflict.column("partner_id").doNothing())
    .execute();
}

/** Throws `EnvelopeError` when the keyring lacks the wrapping key, or has another one under its id. */
function unwrapDataKey(keyring: Pick<Keyring, "find">, row: WrappedKey): DataKey {
  const wrapping = keyring.find(row.wrapping_key_id);
  if (!wrapping)
    throw new EnvelopeError(
      `ENCRYPTION_KEYS has no key ${row.wrapping_key_id}, which wrapped a data key`,
    );
  return {
    id: row.id,
    bytes: open(wrapping, additionalDataOf(row.partner_id, row.id), row.wrapped),
  };
}

/** null where it does not open: damaged, moved, or under a missing key. */
export function tryUnwrapDataKey(keyring: Pick<Keyring, "find">, row: WrappedKey): DataKey | null {
  try {
    return unwrapDataKey(keyring, row);
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
}

/** The inverse. Its result is for this row alone. */
export function wrapDataKey(
  wrapping: WrappingKey,
  row: Pick<WrappedKey, "id" | "partner_id">,
  bytes: Uint8Array,
): string {
  return seal(wrapping, additionalDataOf(row.partner_id, row.id), bytes);
}

function additionalDataOf(partnerId: string, keyId: string): string[] {
  return ["data_keys", partnerId, keyId];
}
