import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { keyedDigest } from "@/lib/platform/auth/keyed-digest";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A browser in which a person has signed in before, with their present credentials. */
export type KnownDevice = {
  /** The same for all of a person's known browsers, so that many marks allow no more guesses than one. */
  id: string;
};

/** Its person: the address, lower-case, and the generation of the account's credentials. */
export type DeviceOwner = { email: string; generation: number };

/** How long a browser is remembered after its last sign-in, milliseconds. */
export const deviceLifeMs = 180 * 24 * 60 * 60_000;

/**
 * The mark that a browser keeps of a sign-in: that this person used it. It opens nothing; with it the throttle counts
 * attempts at this one account from the person's browsers apart from everybody else's. Signed, so that nobody can forge
 * it; it does not reveal the person.
 */
export function rememberDevice(owner: DeviceOwner, now = databaseTime()): string {
  const nonce = randomBytes(16).toString("base64url");
  return [nonce, now, macOf(owner, nonce, String(now))].join(".");
}

/**
 * null for a mark that was not issued to this browser for this address, or too long ago, or before the account's
 * credentials changed: its user may have known the old ones.
 */
export function knownDevice(
  cookie: string | undefined,
  owner: DeviceOwner,
  now = databaseTime(),
): KnownDevice | null {
  const [nonce = "", issuedAt = "", mac = "", ...more] = cookie?.split(".") ?? [];
  if (more.length > 0 || !isSame(mac, macOf(owner, nonce, issuedAt))) return null;
  return Number(issuedAt) > now - deviceLifeMs ? { id: idOf(owner) } : null;
}

/** Invalidates the browser marks of this person. */
export async function newGeneration(db: Executor, userId: string): Promise<void> {
  await db
    .updateTable("users")
    .set((eb) => ({ credentials_generation: eb("credentials_generation", "+", 1) }))
    .where("id", "=", userId)
    .execute();
}

/** The owner of a mark that this person's browser would get now. */
export async function deviceOwner(db: Executor, userId: string): Promise<DeviceOwner> {
  return db
    .selectFrom("users")
    .select(["email", "credentials_generation as generation"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

function idOf({ email, generation }: DeviceOwner): string {
  return createHash("sha256")
    .update(JSON.stringify([email, generation]))
    .digest("base64url");
}

function macOf({ email, generation }: DeviceOwner, nonce: string, issuedAt: string): string {
  const mark = JSON.stringify([email, generation, nonce, issuedAt]);
  return keyedDigest("gancho known device", mark).toString("base64url");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
