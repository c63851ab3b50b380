import "server-only";
import { sql, type Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterCommit } from "./after-commit";
import { db, type Executor } from "./open";
import type { Database } from "./schema";
import { steadyNow } from "./steady-clock";

const pollMs = 100;

/** What its holder may rely on: a later holder has a larger `fence`. */
export type Lease = {
  name: string;
  holder: string;
  fence: number;
  /** It was released, and another process may hold it. */
  isOver: boolean;
  release: () => Promise<void>;
};

type Terms = {
  /** Longer than the work can take: a holder that died is overtaken when its lease ends. */
  leaseMs: number;
  /** How long to wait for the present holder. */
  waitMs: number;
};

/**
 * One holder at a time of a named thing, across processes: a row with an owner, a fence and an end, the same on both
 * engines. null when it was not available in time. A jump of the time of day neither ends a lease nor prolongs it; one
 * that ends later than any could is from before a restart of the machine.
 *
 * A holder that stands still for longer than its lease does not know that it lost it: work that must not happen then
 * checks `holdLease`, or `isHeld` in its statement.
 */
export async function takeLease(name: string, { leaseMs, waitMs }: Terms): Promise<Lease | null> {
  const holder = randomUUID();
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const fence = await take(name, holder, leaseMs);
    if (fence !== null) return leaseOf({ name, holder, fence });
    if (performance.now() >= giveUpAt) return null;
    await pause(pollMs);
  }
}

function leaseOf(held: Pick<Lease, "name" | "holder" | "fence">): Lease {
  const lease: Lease = {
    ...held,
    isOver: false,
    release: async () => {
      if (!lease.isOver) await release(db(), lease);
      lease.isOver = true;
    },
  };
  return lease;
}

/** Releases it with the commit of its last work, without another wait. */
export async function releaseWith(trx: Transaction<Database>, lease: Lease): Promise<void> {
  await release(trx, lease);
  await afterCommit(trx, async () => {
    lease.isOver = true;
  });
}

/** Extends a lease that is held. False where it was lost. */
export async function renewLease({ name, holder }: Lease, leaseMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db()
    .updateTable("leases")
    .set({ expires_at: sql<number>`${steadyNow()} + cast(${leaseMs} as integer)` })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .where("expires_at", ">", steadyNow())
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps the lease from changing hands until the transaction ends. Throws `LeaseLost` where it has. */
export async function holdLease(trx: Transaction<Database>, lease: Lease): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("leases")
    .set({ fence: lease.fence })
    .where("name", "=", lease.name)
    .where("holder", "=", lease.holder)
    .where("expires_at", ">", steadyNow())
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new LeaseLost(lease.name);
}

/** A condition for a statement's `where`: the lease is held when the statement runs. */
export function isHeld({ name, holder }: Lease) {
  return sql<boolean>`exists (select 1 from leases where name = ${name} and holder = ${holder}
    and expires_at > ${steadyNow()})`;
}

/** This process stood still until its lease ended; another may do the work now. */
class LeaseLost extends Error {
  constructor(name: string) {
    super(`the lease ${name} was lost`);
    this.name = "LeaseLost";
  }
}

/** By its name: the framework may load a module twice, and `instanceof` would know one of the two classes only. */
export function isLeaseLost(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "LeaseLost";
}

async function take(name: string, holder: string, leaseMs: number): Promise<number | null> {
  const now = steadyNow();
  const end = sql<number>`${now} + cast(${leaseMs} as integer)`;
  const row = await db()
    .insertInto("leases")
    .values({ name, holder, expires_at: end, fence: 1 })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: end, fence: sql<number>`leases.fence + 1` })
        .where(({ eb, or }) =>
          or([eb("leases.expires_at", "<=", now), eb("leases.expires_at", ">", end)]),
        ),
    )
    .returning(["holder", "fence"])
    .executeTakeFirst();
  return row?.holder === holder ? row.fence : null;
}

/** The row stays, with its fence: one for each connection. */
async function release(executor: Executor, { name, holder }: Lease): Promise<void> {
  await executor
    .updateTable("leases")
    .set({ expires_at: 0 })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .execute();
}
