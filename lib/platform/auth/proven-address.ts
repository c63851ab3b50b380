import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { AddressProof, Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { recordPerson, type PersonEntry } from "@/lib/history/server/record/record-person";
import type { Selectable, Transaction } from "kysely";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { codesSetUpAt, forgetCodes } from "@/lib/platform/auth/codes/one-time-codes";
import { removePasskeys } from "@/lib/platform/auth/passkeys/passkeys";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";

/** Whether this installation can prove who owns an address: by mail that it sends, or by single sign-on. */
function canProveAddresses(): boolean {
  return env().mail !== null || env().oidc !== null;
}

/** How a person of this installation proves it, to show them. `provider`: its name; empty where there is none. */
export function waysToProve(): { way: "both" | "provider" | "mail"; provider: string } {
  const { mail, oidc } = env();
  if (!oidc) return { way: "mail", provider: "" };
  return { way: mail ? "both" : "provider", provider: oidc.name };
}

/**
 * Whether the owner of this account has proven its address. Without proof they are neither staff nor one of two people:
 * the maker of the account may be using it. Where addresses cannot be proven at all, no proof is required, and an
 * account belongs to whoever its maker says; SECURITY.md describes what then holds.
 */
export function hasProvenAddress(
  person: Pick<Selectable<Database["users"]>, "address_proven_at">,
): boolean {
  return person.address_proven_at !== null || !canProveAddresses();
}

/** What an account had before the first proof. `passkeys`: how many. */
type Dropped = { password: boolean; codes: boolean; passkeys: number; sessions: number };

/**
 * Records that the person has proven the address. The first time, this removes everything the account held until then:
 * the password, one-time codes, passkeys, sessions, open links and browser marks belonged to somebody without proof.
 * Returns what it removed; null where the address was proven before, and nothing changes. `recordProof` goes at the end
 * of the transaction.
 */
export async function proveAddress(
  trx: Transaction<Database>,
  userId: string,
  by: AddressProof,
  now = Date.now(),
): Promise<Dropped | null> {
  const { address_proven_at: before, password_hash } = await lockPerson(trx, userId);
  if (before !== null) return null;
  const sessions = await endSessionsOf(trx, userId, "address_proven", now);
  const codes = (await codesSetUpAt(trx, userId)) !== null;
  await forgetCodes(trx, userId);
  const passkeys = await removePasskeys(trx, userId);
  await endPasswordLinksOf(trx, userId, now);
  const dropped = { password: password_hash !== null, codes, passkeys, sessions };
  await trx
    .updateTable("users")
    .set({
      password_hash: null,
      address_proven_at: now,
      address_proven_by: by,
      unread_notice: noticeOf(dropped, by),
    })
    .where("id", "=", userId)
    .execute();
  return dropped;
}

/** What was removed from a person's account, for a notice they have not read yet. */
export type DroppedNotice = Pick<Dropped, "password" | "codes" | "passkeys">;

/** A person who came by a link has just chosen a password, so the old one needs no notice. */
function noticeOf({ password, codes, passkeys }: Dropped, by: AddressProof): string | null {
  const parts = [
    ...(password && by === "provider" ? ["password"] : []),
    ...(codes ? ["codes"] : []),
    ...(passkeys > 0 ? [`passkeys:${passkeys}`] : []),
  ];
  return parts.length > 0 ? parts.join(",") : null;
}

/** Of `users.unread_notice`, also as a version before this one wrote it: `password_dropped`, `codes_dropped`. */
export function readNotice(stored: string | null): DroppedNotice | null {
  if (stored === null) return null;
  const has = (what: string) => new RegExp(`\\b${what}(_dropped)?\\b`).test(stored);
  const passkeys = Number(/\bpasskeys:(\d+)/.exec(stored)?.[1] ?? 0);
  return { password: has("password"), codes: has("codes"), passkeys };
}

type Proof = { by: AddressProof; dropped: Dropped };

/** The entry of `proveAddress`. */
export async function recordProof(
  trx: Transaction<Database>,
  person: { id: string; name: string },
  { by, dropped }: Proof,
  origin: Pick<PersonEntry, "clientAddress" | "requestId">,
): Promise<void> {
  await recordPerson(trx, {
    ...origin,
    who: { id: person.id, name: person.name },
    kind: "address_proven",
    outcome: by,
    detail: dropped,
  });
}

/** The password was set by somebody who has not proven the address. */
export async function forgetProof(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx
    .updateTable("users")
    .set({ address_proven_at: null, address_proven_by: null })
    .where("id", "=", userId)
    .execute();
}

/** Invalidates links with which a password could have been chosen. */
export async function endPasswordLinksOf(db: Executor, userId: string, now: number): Promise<void> {
  await db
    .updateTable("password_links")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
}
