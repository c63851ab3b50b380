import "server-only";
import type { Executor } from "@/lib/db/open";
import { createHmac, hkdfSync } from "node:crypto";
import { dataKeyFor, type DataKey } from "./data-key";
import { keyring } from "./keyring";
import type { Secret } from "./secret";

/** Each use has a key of its own, so that a digest made for one never passes for another. */
export type MacUse = "fingerprint" | "revision" | "history" | "state" | "cursor";

/** HMAC-SHA256 under a key of the partner's own, full hexadecimal. Nobody without ENCRYPTION_KEYS can make one. */
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

/** The same under a data key that is at hand. */
export function macsUnder(
  { bytes }: Pick<DataKey, "bytes">,
  use: MacUse,
): (text: string) => string {
  const key = new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(), `gancho ${use}`, 32));
  return (text) => createHmac("sha256", key).update(text, "utf8").digest("hex");
}

/**
 * Tells equal secrets of one partner apart from different ones; people are shown the first 8 characters.
 * A short value cannot be guessed from it without the key, and values of two partners cannot be compared.
 */
export async function fingerprint(db: Executor, partnerId: string, value: Secret): Promise<string> {
  return partnerMac(db, partnerId, "fingerprint", value.reveal());
}
