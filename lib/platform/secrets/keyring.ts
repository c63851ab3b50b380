import "server-only";
import { env, type EncryptionKey } from "@/lib/platform/env/env";

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
