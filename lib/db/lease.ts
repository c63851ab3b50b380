import "server-only";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { db } from "./open";
import { steadyNow } from "./steady-clock";

const pollMs = 100;

export type Lease = { release: () => Promise<void> };

type Terms = {
  /** Longer than the work can take: a holder that died is overtaken when its lease ends. */
  leaseMs: number;
  /** How long to wait for whoever holds it. */
  waitMs: number;
};

/**
 * One holder at a time of a named thing, across processes: a row with an owner and an end, the same on both engines.
 * null when it was not to be had in time. A jump of the time of day neither ends a lease nor prolongs it; one that ends
 * later than any could is from before a restart of the machine.
 */
export async function takeLease(name: string, { leaseMs, waitMs }: Terms): Promise<Lease | null> {
  const holder = randomUUID();
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    if (await take(name, holder, leaseMs)) return { release: () => release(name, holder) };
    if (performance.now() >= giveUpAt) return null;
    await pause(pollMs);
  }
}

async function take(name: string, holder: string, leaseMs: number): Promise<boolean> {
  const now = steadyNow();
  const end = sql<number>`${now} + cast(${leaseMs} as integer)`;
  const row = await db()
    .insertInto("leases")
    .values({ name, holder, expires_at: end })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: end })
        .where(({ eb, or }) =>
          or([eb("leases.expires_at", "<=", now), eb("leases.expires_at", ">", end)]),
        ),
    )
    .returning("holder")
    .executeTakeFirst();
  return row?.holder === holder;
}

async function release(name: string, holder: string): Promise<void> {
  await db().deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}
