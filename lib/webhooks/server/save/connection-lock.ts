import "server-only";
import { takeLease, type Lease } from "@/lib/platform/database/lease";
import { processWide } from "@/lib/platform/runtime/process-wide";

/** Longer than any save takes (10 s), short enough that a crash blocks a partner only briefly. */
const leaseMs = 20_000;

/**
 * Each waiting request queries the database ten times a second; beyond this many, a connection's are refused at once.
 * Questions whether a save is lost wait apart: however many there are, they leave the saves their room.
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
  const name = `save:${connectionId}`;
  if (waitMs === 0) return takeLease(name, { leaseMs, waitMs });
  const room = `${as} ${connectionId}`;
  const before = waiting().get(room) ?? 0;
  if (before >= maxWaiting[as]) return null;
  waiting().set(room, before + 1);
  try {
    return await takeLease(name, { leaseMs, waitMs });
  } finally {
    const left = (waiting().get(room) ?? 1) - 1;
    if (left > 0) waiting().set(room, left);
    else waiting().delete(room);
  }
}
