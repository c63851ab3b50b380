import "server-only";
import { takeLease, type Lease } from "@/lib/platform/database/lease";
import { processWide } from "@/lib/platform/runtime/process-wide";

/** Longer than any save takes (10 s), short enough that a crash blocks a partner only briefly. */
const leaseMs = 20_000;

/** Each waiting save queries the database ten times a second; beyond this many, a connection's are refused at once. */
const maxWaiting = 16;

const waiting = () => processWide("saves-waiting", () => new Map<string, number>());

/**
 * One save at a time per connection, across processes. null when another one goes on for longer than `waitMs`, or when
 * too many of this connection wait already: one person's clicks must not cost other partners their turn.
 */
export async function lockConnection(connectionId: string, waitMs: number): Promise<Lease | null> {
  const name = `save:${connectionId}`;
  if (waitMs === 0) return takeLease(name, { leaseMs, waitMs });
  const before = waiting().get(connectionId) ?? 0;
  if (before >= maxWaiting) return null;
  waiting().set(connectionId, before + 1);
  try {
    return await takeLease(name, { leaseMs, waitMs });
  } finally {
    const left = (waiting().get(connectionId) ?? 1) - 1;
    if (left > 0) waiting().set(connectionId, left);
    else waiting().delete(connectionId);
  }
}
