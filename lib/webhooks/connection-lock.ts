import "server-only";
import { takeLease, type Lease } from "@/lib/db/lease";

/** Longer than any save takes (10 s), short enough that a crash blocks a partner only for a moment. */
const leaseMs = 20_000;

/** One save at a time per connection, across processes. null when another one goes on for longer than `waitMs`. */
export async function lockConnection(connectionId: string, waitMs: number): Promise<Lease | null> {
  return takeLease(`save:${connectionId}`, { leaseMs, waitMs });
}
