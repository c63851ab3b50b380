import "server-only";
import { db } from "@/lib/db/open";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** Longer than any save takes (10 s), short enough that a crash blocks a partner only for a moment. */
const leaseMs = 20_000;
const pollMs = 100;

export type Lock = { release: () => Promise<void> };

/**
 * One save at a time per connection, across processes: a lease in the database, the same on both engines.
 * Waits up to `waitMs` for whoever holds it; null when it was not to be had. A holder that died is overtaken when
 * its lease ends.
 */
export async function lockConnection(connectionId: string, waitMs: number): Promise<Lock | null> {
  const holder = randomUUID();
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    if (await take(connectionId, holder)) return { release: () => release(connectionId, holder) };
    if (performance.now() >= giveUpAt) return null;
    await pause(pollMs);
  }
}

export async function isLocked(connectionId: string): Promise<boolean> {
  const row = await db()
    .selectFrom("connection_locks")
    .select("holder")
    .where("connection_id", "=", connectionId)
    .where("expires_at", ">", Date.now())
    .executeTakeFirst();
  return row !== undefined;
}

async function take(connectionId: string, holder: string): Promise<boolean> {
  const now = Date.now();
  const row = await db()
    .insertInto("connection_locks")
    .values({ connection_id: connectionId, holder, expires_at: now + leaseMs })
    .onConflict((conflict) =>
      conflict
        .column("connection_id")
        .doUpdateSet({ holder, expires_at: now + leaseMs })
        .where("connection_locks.expires_at", "<=", now),
    )
    .returning("holder")
    .executeTakeFirst();
  return row?.holder === holder;
}

async function release(connectionId: string, holder: string): Promise<void> {
  await db()
    .deleteFrom("connection_locks")
    .where("connection_id", "=", connectionId)
    .where("holder", "=", holder)
    .execute();
}
