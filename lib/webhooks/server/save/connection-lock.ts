import "server-only";
import { isLeased, takeLease, takeLeaseWithin, type Lease } from "@/lib/platform/database/lease";
import type { Database } from "@/lib/platform/database/tables";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { Transaction } from "kysely";

const { lockMs: leaseMs, renewLockForMs: renewForMs } = saveTimings;

/**
 * Each waiting request queries the database ten times a second; beyond this many, a connection's are refused at once.
 * Questions whether a save is lost wait apart: however many there are, they leave the saves their places.
 */
const maxWaiting = { saves: 16, questions: 4 };

const waiting = () => processWide("saves-waiting", () => new Map<string, number>());

/**
 * One save at a time per connection, across processes. null when another one goes on for longer than `waitMs`, or when
 * too many of this connection wait already: one person's clicks must not cost other partners their turn.
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

/**
 * The same for a reading, which must not keep a save from its turn: for one transaction, which releases it as it ends.
 */
export function lockWithin(trx: Transaction<Database>, connectionId: string) {
  return takeLeaseWithin(trx, nameOf(connectionId), { leaseMs });
}

/** Whether a save goes on. */
export function isLocked(connectionId: string): Promise<boolean> {
  return isLeased(nameOf(connectionId), { leaseMs });
}

const nameOf = (connectionId: string) => `save:${connectionId}`;
