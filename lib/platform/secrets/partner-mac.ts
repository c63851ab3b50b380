import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { dataKeyFor, type DataKey } from "./data-key";
import { keyring } from "./envelope";
import type { Secret } from "@/lib/platform/runtime/secret";

/** Each use has a separate key, so that a digest made for one never passes for another. */
type MacUse =
  | "fingerprint"
  | "shown fingerprint"
  | "revision"
  | "outside change"
  | "history"
  | "cursor"
  | "arrival";

/** HMAC-SHA256 under the partner's key, full hexadecimal. Nobody without ENCRYPTION_KEYS can make one. */
export async function partnerMac(
  db: Executor,
  partnerId: string,
  use: MacUse,
  text: string,
): Promise<string> {
  return (await partnerMacs(db, partnerId, use))(text);
}

/** The same for many texts of one partner: the key is derived once. */
export async function partnerMacs(
  db: Executor,
  partnerId: string,
  use: MacUse,
): Promise<(text: string) => string> {
  return macsUnder(await dataKeyFor(db, keyring(), partnerId), use);
}

/** The same under a given data key. */
export function macsUnder(
  { bytes }: Pick<DataKey, "bytes">,
  use: MacUse,
): (text: string) => string {
  const key = keyFor(bytes, use);
  return (text) => createHmac("sha256", key).update(text, "utf8").digest("hex");
}

/** Kept for as long as the data key is in memory. */
const derived = new WeakMap<Uint8Array, Map<MacUse, KeyObject>>();

function keyFor(bytes: Uint8Array, use: MacUse): KeyObject {
  const keys = derived.get(bytes) ?? new Map<MacUse, KeyObject>();
  derived.set(bytes, keys);
  const known = keys.get(use);
  if (known) return known;
  const key = hkdfSync("sha256", bytes, new Uint8Array(), `gancho ${use}`, 32);
  const made = createSecretKey(new Uint8Array(key));
  keys.set(use, made);
  return made;
}

/**
 * Distinguishes equal secrets of one partner from different ones: for Gancho's comparisons and its database, and never
 * for a browser, which gets `shownFingerprints`. A short value cannot be guessed from it without the key, and values of
 * two partners cannot be compared.
 */
export async function fingerprint(db: Executor, partnerId: string, value: Secret): Promise<string> {
  return partnerMac(db, partnerId, "fingerprint", value.reveal());
}

/** `environment`: where the fingerprint is shown; null for a history entry that is about none. */
export type ShowFingerprint = (environment: string | null, fingerprint: string) => string;

/**
 * Derives from a stored `fingerprint` the 8 characters that people compare by eye. Comparable only within an
 * environment: were it the same everywhere, an editor could save guesses in the sandbox until one matches production's
 * value.
 */
export async function shownFingerprints(db: Executor, partnerId: string): Promise<ShowFingerprint> {
  const mac = await partnerMacs(db, partnerId, "shown fingerprint");
  return (environment, fingerprint) => mac(JSON.stringify([environment, fingerprint])).slice(0, 8);
}
