import "server-only";
import { env, type EncryptionKey } from "@/lib/env";

/** The wrapping keys of ENCRYPTION_KEYS. */
export type Keyring = {
  /** Wraps what is new. */
  active: { id: string; bytes: Uint8Array };
  /** Any of them, to open what it wrapped. */
  find(id: string): { id: string; bytes: Uint8Array } | undefined;
};

export function keyringOf(keys: readonly [EncryptionKey, ...EncryptionKey[]]): Keyring {
  const [active] = keys.map(({ id, key }) => ({ id, bytes: Buffer.from(key.reveal(), "base64") }));
  const all = new Map(
    keys.map(({ id, key }) => [id, { id, bytes: Buffer.from(key.reveal(), "base64") }]),
  );
  if (!active) throw new Error("a keyring has at least one key");
  return { active, find: (id) => all.get(id) };
}

/** The process's keyring. */
export function keyring(): Keyring {
  return keyringOf(env().encryptionKeys);
}
