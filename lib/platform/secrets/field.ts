import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { dataKeyFor } from "./data-key";
import { open, seal, keyring } from "./envelope";
import { Secret } from "@/lib/platform/runtime/secret";

/** The place of an encrypted field. A ciphertext that was moved elsewhere does not open. */
export type FieldIdentity = { table: string; row: string; column: string };

/** Encrypts a field of a partner's row; the ciphertext opens for that field alone. */
export async function encryptFor(
  db: Executor,
  partnerId: string,
  identity: FieldIdentity,
  value: Secret,
): Promise<string> {
  const key = await dataKeyFor(db, keyring(), partnerId);
  return seal(key, additionalDataOf(partnerId, identity), Buffer.from(value.reveal(), "utf8"));
}

/** Throws `EnvelopeError` when it was altered, moved or encrypted under another key. */
export async function decryptFor(
  db: Executor,
  partnerId: string,
  identity: FieldIdentity,
  ciphertext: string,
): Promise<Secret> {
  const key = await dataKeyFor(db, keyring(), partnerId);
  return new Secret(open(key, additionalDataOf(partnerId, identity), ciphertext).toString("utf8"));
}

function additionalDataOf(partnerId: string, { table, row, column }: FieldIdentity): string[] {
  return ["field", partnerId, table, row, column];
}
