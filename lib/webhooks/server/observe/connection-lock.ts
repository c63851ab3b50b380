import "server-only";
import { isLeased, takeLease, takeLeaseWithin, type Lease } from "@/lib/platform/database/lease";
import type { Database } from "@/lib/platform/database/tables";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { sql, type Transaction } from "kysely";

const { lockMs: leaseMs, renewLockForMs: renewForMs } = saveTimings;

/**
 * Each waiting request queries the database ten times a second; beyond this many for a connection, requests are refused
 * at once. Questions about lost saves are counted separately, so that they take no place from saves.
 */
const maxWaiting = { saves: 16, questions: 4 };

const waiting = () => processWide("saves-waiting", () => new Map<string, number>());

/**
 * One save at a time per connection, across processes. null when another one takes longer than `waitMs`, or when too
 * many already wait for this connection: one person's clicks must not delay other partners.
 */
export async function lockConnection(
  connectionId: string,
  waitMs: number,
  as: keyof typeof maxWaiting = "saves",
): Promise<Lease | null> {
  const terms = { leaseMs, renewForMs, waitMs };
  if (waitMs === 0) return takeLease(nameOf(connectionId), terms);
  const queue = `${as} ${connectionId}`;
  const before = waiting().get(queue) ?? 0;
  if (before >= maxWaiting[as]) return null;
  waiting().set(queue, before + 1);
  try {
    return await takeLease(nameOf(connectionId), terms);
  } finally {
    const left = (waiting().get(queue) ?? 1) - 1;
    if (left > 0) waiting().set(queue, left);
    else waiting().delete(queue);
  }
}

/** The same for a reading, which must not delay a save: for one transaction, which releases it at its end. */
export function lockWithin(trx: Transaction<Database>, connectionId: string) {
  return takeLeaseWithin(trx, nameOf(connectionId), { leaseMs });
}

/** Whether a save is in progress. */
export function isLocked(connectionId: string): Promise<boolean> {
  return isLeased(nameOf(connectionId), { leaseMs });
}

/**
 * A connection's lock, as it was read with what it guards: whoever takes it as the next one knows that nobody had it in
 * between. `isFree`: it was released. A lease that has only run out may still end with a commit.
 */
export type SeenLock = { fence: number; isFree: boolean };

/** The name of the lease of a row of `connections`, in SQL, to read its lock with it. */
export const lockName = sql<string>`'save:' || connections.id`;

export function isNextAfter({ fence }: Lease, seen: SeenLock): boolean {
  return seen.isFree && fence === seen.fence + 1;
}

const nameOf = (connectionId: string) => `save:${connectionId}`;
