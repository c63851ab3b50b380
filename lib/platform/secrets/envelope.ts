import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env, type EncryptionKey } from "@/lib/platform/env/env";

/**
 * AES-256-GCM with a random 96-bit nonce, written as `v1.<key id>.<nonce>.<ciphertext and tag>`. The additional data
 * binds the ciphertext to its place: moved elsewhere, it does not open. 96 random bits stay far from a collision for
 * 2^32 encryptions under one key; a partner's key sees some thousand.
 */
const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/** A ciphertext does not open: another key, another place, or altered. It does not say which. */
export class EnvelopeError extends Error {
  override readonly name: string = "EnvelopeError";
}

type Key = { id: string; bytes: Uint8Array };

/** `additionalData` is written out unambiguously, so that ["ab", "c"] and ["a", "bc"] differ. */
function encodeAdditionalData(keyId: string, additionalData: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, ...additionalData]), "utf8");
}

export function seal(key: Key, additionalData: readonly string[], plain: Uint8Array): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(encodeAdditionalData(key.id, additionalData));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return [version, key.id, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
}

/** Throws `EnvelopeError`. */
export function open(key: Key, additionalData: readonly string[], envelope: string): Buffer {
  const { keyId, nonce, sealed } = parse(envelope);
  if (keyId !== key.id) throw new EnvelopeError("sealed under another key");
  const decipher = createDecipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes });
  decipher.setAAD(encodeAdditionalData(keyId, additionalData));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    throw new EnvelopeError("does not open: altered, moved, or sealed under another key");
  }
}

function parse(envelope: string) {
  const [format, keyId = "", nonceText = "", sealedText = "", ...more] = envelope.split(".");
  const nonce = Buffer.from(nonceText, "base64url");
  const sealed = Buffer.from(sealedText, "base64url");
  if (
    format !== version ||
    more.length > 0 ||
    nonce.length !== nonceBytes ||
    sealed.length < tagBytes
  )
    throw new EnvelopeError("not an envelope of a known version");
  return { keyId, nonce, sealed };
}

export type WrappingKey = { id: string; bytes: Uint8Array };

/** The wrapping keys of ENCRYPTION_KEYS. */
export type Keyring = {
  /** Wraps new data keys. */
  active: WrappingKey;
  /** The active one and then the others, in the order of the configuration. */
  all: readonly WrappingKey[];
  /** Finds any of them, to open what it wrapped. */
  find(id: string): WrappingKey | undefined;
};

export function keyringOf(keys: readonly [EncryptionKey, ...EncryptionKey[]]): Keyring {
  const all = keys.map(({ id, key }) => ({ id, bytes: Buffer.from(key.reveal(), "base64") }));
  const [active] = all;
  if (!active) throw new Error("a keyring has at least one key");
  return { active, all, find: (id) => all.find((key) => key.id === id) };
}

/** The process's keyring. */
export function keyring(): Keyring {
  return keyringOf(env().encryptionKeys);
}
