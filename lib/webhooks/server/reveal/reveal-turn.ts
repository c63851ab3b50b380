import "server-only";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/schema";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";

/** A person who looks a value up needs one or two; who collects them, at all partners together, is slowed down. */
const most = 10;
export const revealWindowMs = 60 * 60_000;

export type RevealTurn =
  | { outcome: "taken"; id: string }
  /** `retryAfter` in seconds. */
  | { outcome: "limited"; retryAfter: number };

/**
 * Counts a reveal before anything is read, so that many at once cannot slip past the count. At most 10 within any hour
 * per person, across partners and processes.
 */
export async function takeRevealTurn(userId: string, now: number): Promise<RevealTurn> {
  const id = randomUUID();
  return db()
    .transaction()
    .execute(async (trx) => {
      await lockPerson(trx, userId);
      const over = now - revealWindowMs;
      await trx
        .deleteFrom("reveal_turns")
        .where("user_id", "=", userId)
        .where("taken_at", "<=", over)
        .execute();
      const taken = await trx
        .selectFrom("reveal_turns")
        .select("taken_at")
        .where("user_id", "=", userId)
        .orderBy("taken_at", "desc")
        .limit(most)
        .execute();
      const oldest = taken[most - 1];
      if (oldest) return limited(oldest.taken_at - over);
      await trx.insertInto("reveal_turns").values({ id, user_id: userId, taken_at: now }).execute();
      return { outcome: "taken", id };
    });
}

/** Nothing was shown after all. */
export async function giveBackRevealTurn(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom("reveal_turns").where("id", "=", id).execute();
}

function limited(waitMs: number): RevealTurn {
  return { outcome: "limited", retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) };
}
