import "server-only";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { MonotonicClock } from "@/lib/platform/runtime/deadline";
import type { Fault } from "@/lib/platform/payment-service/model/fault";

/**
 * The owner of a token: a connection, the version of its credentials, and a digest of its service and client. A changed
 * base address must not get the token of the one before.
 */
export type TokenKey = {
  connectionId: string;
  partnerId: string;
  version: number;
  service: string;
};

/** How the last exchange of a connection ended, as long as that may be relied on. */
export type TokenEntry =
  /** `issue` distinguishes exchanges, even where the service gives the same token twice. */
  { kind: "token"; token: Secret; issue: string } | { kind: "rejected"; fault: Fault };

/**
 * Where the outcome of an exchange is kept. Lifetimes are durations, never times of day, so that no wall clock matters
 * and processes with different clocks can share one store.
 */
export type TokenStore = {
  get(key: TokenKey): Promise<{ entry: TokenEntry; remainingMs: number } | null>;
  set(key: TokenKey, entry: TokenEntry, lifeMs: number): Promise<void>;
  /** Drops the token of that issue, if it is still the stored one. */
  drop(key: TokenKey, issue: string): Promise<void>;
  /** Drops everything about a connection, whatever the version. */
  forget(connectionId: string): Promise<void>;
  /**
   * Runs `work` while no other user of the store runs any for the same credentials. null when the other takes longer
   * than an exchange can.
   */
  exclusively<T>(key: TokenKey, work: () => Promise<T>): Promise<T | null>;
};

/** A store in this process, of bounded size; checks ages on reading, so it needs no timers. */
export function memoryTokenStore({
  clock,
  atMost,
}: {
  clock: MonotonicClock;
  atMost: number;
}): TokenStore {
  type Kept = { version: number; service: string; entry: TokenEntry; until: number };
  /** By connection id, the least recently used first. One version each: an edit makes the older one useless. */
  const kept = new Map<string, Kept>();

  const find = ({ connectionId, version, service }: TokenKey): Kept | undefined => {
    const found = kept.get(connectionId);
    return found?.version === version && found.service === service ? found : undefined;
  };

  return {
    async get(key) {
      const found = find(key);
      if (!found) return null;
      kept.delete(key.connectionId);
      const remainingMs = found.until - clock();
      if (remainingMs <= 0) return null;
      kept.set(key.connectionId, found);
      return { entry: found.entry, remainingMs };
    },
    async set(key, entry, lifeMs) {
      const before = kept.get(key.connectionId);
      // A request that began before an edit does not undo it.
      if (lifeMs <= 0 || (before && before.version > key.version)) return;
      kept.delete(key.connectionId);
      const { version, service } = key;
      kept.set(key.connectionId, { version, service, entry, until: clock() + lifeMs });
      const [oldest] = kept.keys();
      if (kept.size > atMost && oldest !== undefined) kept.delete(oldest);
    },
    async drop(key, issue) {
      const found = find(key);
      if (found?.entry.kind === "token" && found.entry.issue === issue) {
        kept.delete(key.connectionId);
      }
    },
    async forget(connectionId) {
      kept.delete(connectionId);
    },
    // Within a process, `TokenSource` sees to it.
    exclusively: (_key, work) => work(),
  };
}
