import "server-only";
import type { Executor } from "@/lib/db/open";
import { processWide } from "@/lib/process-wide";
import { randomBytes, randomUUID } from "node:crypto";
import { EnvelopeError, open, seal } from "./envelope";
import type { Keyring } from "./keyring";

/** A partner's own key: encrypts its fields, and the fingerprints and revisions of its values are keyed from it. */
export type DataKey = { id: string; bytes: Uint8Array };

type Row = { id: string; partner_id: string; wrapping_key_id: string; wrapped: string };

/** Unwrapped keys of partners in use, per database. Bounded: memory does not grow with the number of partners. */
const kept = 500;
const caches = () => processWide("data-keys", () => new WeakMap<Executor, Map<string, DataKey>>());

/** The partner's key, made when there is none. Throws `EnvelopeError` when the keyring does not open it. */
export async function dataKeyFor(
  db: Executor,
  keyring: Keyring,
  partnerId: string,
): Promise<DataKey> {
  const known = caches().get(db)?.get(partnerId);
  if (known) return known;
  const row = (await find(db, partnerId)) ?? (await make(db, keyring, partnerId));
  const key = unwrapDataKey(keyring, row);
  // Inside a transaction the row may yet be rolled back; a remembered key without a row would lose what it encrypts.
  if (!db.isTransaction) remember(db, partnerId, key);
  return key;
}

function remember(db: Executor, partnerId: string, key: DataKey): void {
  const cache = caches().get(db) ?? new Map<string, DataKey>();
  caches().set(db, cache);
  const oldest = cache.size >= kept ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(partnerId, key);
}

async function find(db: Executor, partnerId: string): Promise<Row | undefined> {
  return db
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();
}

async function make(db: Executor, keyring: Keyring, partnerId: string): Promise<Row> {
  const id = randomUUID();
  await db
    .insertInto("data_keys")
    .values({
      id,
      partner_id: partnerId,
      wrapping_key_id: keyring.active.id,
      wrapped: seal(keyring.active, place(partnerId, id), randomBytes(32)),
      created_at: Date.now(),
    })
    // Another process may have been first; its key then is the partner's key.
    .onConflict((conflict) => conflict.column("partner_id").doNothing())
    .execute();
  const row = await find(db, partnerId);
  if (!row) throw new Error("a data key that was just written is not there");
  return row;
}

/** Throws `EnvelopeError` when the keyring lacks the wrapping key, or has another one under its id. */
export function unwrapDataKey(keyring: Keyring, row: Row): DataKey {
  const wrapping = keyring.find(row.wrapping_key_id);
  if (!wrapping)
    throw new EnvelopeError(
      `ENCRYPTION_KEYS has no key ${row.wrapping_key_id}, which wrapped a data key`,
    );
  return { id: row.id, bytes: open(wrapping, place(row.partner_id, row.id), row.wrapped) };
}

function place(partnerId: string, keyId: string): string[] {
  return ["data_keys", partnerId, keyId];
}
