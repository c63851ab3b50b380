import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { EnvelopeError, open, seal } from "./envelope";
import type { WrappingKey } from "./keyring";

/** The shared record of a key of ENCRYPTION_KEYS. */
type NotedKey = { id: string; proof: string | null; retired_at: number | null };

export async function notedKeys(db: Executor): Promise<NotedKey[]> {
  return db.selectFrom("wrapping_keys").selectAll().orderBy("id").execute();
}

/**
 * Records the bytes of a key before anything is wrapped under it: another process with other bytes under the same id
 * must not start. While nothing at all is sealed, they may still change.
 */
export async function recordKey(db: Executor, key: WrappingKey): Promise<void> {
  await db
    .insertInto("wrapping_keys")
    .values({ id: key.id, proof: proofOf(key) })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({ proof: eb.ref("excluded.proof") }))
        .where(({ eb, or, not, exists, selectFrom }) =>
          or([
            eb("wrapping_keys.proof", "is", null),
            not(exists(selectFrom("data_keys").select("data_keys.id"))),
          ]),
        ),
    )
    .execute();
}

/** Whether these are the bytes that the others have under the id; null where none is recorded. */
export function isAsNoted(key: WrappingKey, proof: string | null): boolean | null {
  if (proof === null) return null;
  try {
    open(key, additionalDataOf(key), proof);
    return true;
  } catch (error) {
    if (error instanceof EnvelopeError) return false;
    throw error;
  }
}

/**
 * Whether new things may be wrapped under the key. If so, it stays so until the transaction ends: retiring the key
 * waits for that, and then sees what was wrapped.
 */
export async function holdInUse(trx: Executor, keyId: string): Promise<boolean> {
  const held = await trx
    .updateTable("wrapping_keys")
    .set({ retired_at: null })
    .where("id", "=", keyId)
    .where("retired_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}

/**
 * From now on every process wraps new data keys under this key, whichever of its keys stands first there. Waits for
 * transactions that are wrapping under another one.
 */
export async function takeIntoUse(trx: Executor, key: WrappingKey): Promise<void> {
  await recordKey(trx, key);
  await trx
    .updateTable("wrapping_keys")
    .set({ retired_at: null })
    .where("id", "=", key.id)
    .execute();
  await trx
    .updateTable("wrapping_keys")
    .set({ retired_at: Date.now() })
    .where("id", "!=", key.id)
    .where("retired_at", "is", null)
    .execute();
}

/** An empty plaintext: opening it is the proof. */
function proofOf(key: WrappingKey): string {
  return seal(key, additionalDataOf(key), new Uint8Array());
}

function additionalDataOf({ id }: WrappingKey): string[] {
  return ["wrapping_keys", id];
}
