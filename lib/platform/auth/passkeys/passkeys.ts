import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import type { Transaction } from "kysely";
import { lockPerson, type LockedPerson } from "@/lib/platform/database/row-locks";
import type { Assertion, Attestation } from "@/lib/platform/auth/model/passkey-response";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { relyingParty, takeChallenge, verifyAssertion, verifyAttestation } from "./webauthn";

/** Enough for all of a person's devices. */
export const maxPasskeys = 10;

/** Timestamps in milliseconds. */
export type Passkey = {
  /** Names it in our records. */
  id: string;
  userId: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
};

/** The person's passkeys, the oldest first. */
export async function passkeysOf(db: Executor, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toPasskey);
}

async function findPasskey(db: Executor, credentialId: string): Promise<Passkey | null> {
  const row = await db
    .selectFrom("passkeys")
    .selectAll()
    .where("id", "=", hashOf(credentialId))
    .executeTakeFirst();
  return row ? toPasskey(row) : null;
}

function toPasskey(row: Database["passkeys"]): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports.split(",").filter(Boolean),
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

export type Added =
  | { outcome: "added"; id: string }
  /** The challenge was not this browser's, was used, or is over. */
  | { outcome: "over" }
  /** Not made for this challenge and these pages, or not unlocked by its person. */
  | { outcome: "refused" }
  /** Another account has it, or the same one. */
  | { outcome: "taken" }
  | { outcome: "too_many" }
  /** It had to be the person's first. */
  | { outcome: "not_first" };

/** Stores a passkey that was made for `askForNewPasskey`. In a transaction. */
export async function storePasskey(
  trx: Transaction<Database>,
  userId: string,
  given: { attestation: Attestation; name: string; boundTo: string; onlyAsFirst: boolean },
  now = databaseTime(),
): Promise<Added> {
  const { attestation, name, boundTo, onlyAsFirst } = given;
  const wanted = { purpose: "add", boundTo } as const;
  const taken = await takeChallenge(trx, wanted, attestation.clientDataJSON, now);
  if (!taken) return { outcome: "over" };
  const made = await verifyAttestation(attestation, taken);
  if (!made) return { outcome: "refused" };
  await lockPerson(trx, userId);
  const known = (await passkeysOf(trx, userId)).length;
  if (known > 0 && onlyAsFirst) return { outcome: "not_first" };
  if (known >= maxPasskeys) return { outcome: "too_many" };
  const id = hashOf(made.credentialId);
  const inserted = await trx
    .insertInto("passkeys")
    .values({
      id,
      user_id: userId,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      counter: made.counter,
      transports: [...new Set(attestation.transports)].join(","),
      name,
      created_at: now,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted ? { outcome: "added", id } : { outcome: "taken" };
}

export async function deletePasskey(
  trx: Transaction<Database>,
  userId: string,
  id: string,
): Promise<void> {
  await trx.deleteFrom("passkeys").where("user_id", "=", userId).where("id", "=", id).execute();
}

/**
 * Removes all passkeys of a person, and their open challenges with them, since no key is left to verify. Returns how
 * many there were. The caller ends sessions and records the entry.
 */
export async function removePasskeys(trx: Transaction<Database>, userId: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("passkeys")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export type PasskeyCheck<Result> = { outcome: "right"; result: Result } | Refused;

type Refused =
  /** The challenge was not this browser's, was used, or is over. */
  | { outcome: "over" }
  | {
      outcome: "refused";
      why: "unknown_passkey" | "wrong_passkey" | "passkey_counter" | "disabled";
      /** Its owner, if it has one. */
      userId: string | null;
    };

type Check = {
  assertion: Assertion;
  purpose: "sign_in" | "step_up";
  boundTo: string;
  /** The required owner; null: anybody. */
  userId: string | null;
};

/** What a passkey signed. Nothing is recorded before `acceptPasskey`. */
type SignedByPasskey = {
  outcome: "signed";
  passkey: Passkey;
  counter: number;
};

/** Whether the passkey's owner signed the challenge of this browser. A challenge counts once, whatever the outcome. */
export async function verifyPasskey(
  db: Db,
  { assertion, purpose, boundTo, userId }: Check,
  now = databaseTime(),
): Promise<SignedByPasskey | Refused> {
  const party = relyingParty();
  const taken = await takeChallenge(db, { purpose, boundTo }, assertion.clientDataJSON, now);
  if (!taken || !party) return { outcome: "over" };
  const passkey = await findPasskey(db, assertion.id);
  if (!passkey) return { outcome: "refused", why: "unknown_passkey", userId };
  const refused = (why: "wrong_passkey" | "passkey_counter" | "disabled") =>
    ({ outcome: "refused", why, userId: userId ?? passkey.userId }) as const;
  if (!isOf(passkey, assertion, userId)) return refused("wrong_passkey");
  const { publicKey } = passkey;
  const signed = await verifyAssertion(assertion, { challenge: taken, publicKey }, party);
  if (!signed) return refused("wrong_passkey");
  if (counterRegressed(passkey.counter, signed.counter)) return refused("passkey_counter");
  return { outcome: "signed", passkey, counter: signed.counter };
}

type Work<Result> = (trx: Transaction<Database>, owner: LockedPerson) => Promise<Result>;

/** Marks the signature as used together with `work`, for which it is given, or not at all. */
export async function acceptPasskey<Result>(
  db: Db,
  { passkey, counter }: SignedByPasskey,
  work: Work<Result>,
  now = databaseTime(),
): Promise<PasskeyCheck<Result>> {
  const refused = (why: "wrong_passkey" | "disabled") =>
    ({ outcome: "refused", why, userId: passkey.userId }) as const;
  return db.transaction().execute(async (trx) => {
    const owner = await lockPerson(trx, passkey.userId);
    if (owner.disabled_at !== null) return refused("disabled");
    if (!(await recordUse(trx, passkey, counter, now))) return refused("wrong_passkey");
    return { outcome: "right", result: await work(trx, owner) } as const;
  });
}

/** Verifies and accepts, for callers without a check in between. */
export async function checkPasskey<Result>(
  db: Db,
  check: Check,
  work: Work<Result>,
  now = databaseTime(),
): Promise<PasskeyCheck<Result>> {
  const signed = await verifyPasskey(db, check, now);
  return signed.outcome === "signed" ? acceptPasskey(db, signed, work, now) : signed;
}

/** At sign-in the person is not known before, so the authenticator has to name the owner; else it may. */
function isOf(passkey: Passkey, { userHandle }: Assertion, userId: string | null): boolean {
  if (userId !== null && passkey.userId !== userId) return false;
  if (userHandle === null) return userId !== null;
  return Buffer.from(userHandle, "base64url").toString("utf8") === passkey.userId;
}

/**
 * A counter that does not advance shows that two authenticators have the same key (WebAuthn 3, 6.1.1). Passkeys that
 * are synchronised between devices have no counter.
 */
function counterRegressed(before: number, now: number): boolean {
  return (before > 0 || now > 0) && now <= before;
}

/** False where it is gone, or was used by another request meanwhile. */
async function recordUse(
  trx: Transaction<Database>,
  { id, counter: before }: Passkey,
  counter: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("passkeys")
    .set({ counter, last_used_at: now })
    .where("id", "=", id)
    .where("counter", "=", before)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
