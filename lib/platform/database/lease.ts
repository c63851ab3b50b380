import "server-only";
import { sql, type Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterCommit } from "./tracked";
import { db, type Executor } from "./open";
import type { Database } from "./tables";
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
  /** A holder that died is overtaken when its lease ends. Longer than the work can take, unless it is renewed. */
  leaseMs: number;
  /** How long to wait for the present holder. */
  waitMs: number;
  /**
   * For how long to renew it while this process lives, milliseconds, so that a killed holder does not block others for
   * as long as the work may take.
   */
  renewForMs?: number;
};

/**
 * One holder at a time of a named thing, across processes: a row with an owner, a fence and an end, the same on both
 * engines. null when it was not available in time. A jump of the time of day neither ends a lease nor prolongs it; one
 * that ends later than any could is from before a restart of the machine.
 *
 * A holder that is paused for longer than its lease does not know that it lost it: work that must not happen then
 * checks `holdLease`.
 */
export async function takeLease(name: string, terms: Terms): Promise<Lease | null> {
  const giveUpAt = performance.now() + terms.waitMs;
  for (;;) {
    const lease = await take(db(), name, terms.leaseMs);
    if (lease) return renewed(lease, terms);
    if (performance.now() >= giveUpAt) return null;
    await pause(pollMs);
  }
}

/**
 * The same for work within one transaction, at whose end the caller releases it with `releaseWith`: nobody else ever
 * sees it held. null where somebody holds it.
 */
export function takeLeaseWithin(
  trx: Transaction<Database>,
  name: string,
  { leaseMs }: Pick<Terms, "leaseMs">,
): Promise<Lease | null> {
  return take(trx, name, leaseMs);
}

/** Whether somebody holds it now. */
export async function isLeased(
  name: string,
  { leaseMs }: Pick<Terms, "leaseMs">,
): Promise<boolean> {
  const row = await db()
    .selectFrom("leases")
    .select("holder")
    .where("name", "=", name)
    .where("expires_at", ">", steadyNow())
    .where("expires_at", "<=", inMs(leaseMs + longestWaitMs))
    .executeTakeFirst();
  return row !== undefined;
}

function renewed(lease: Lease, { leaseMs, renewForMs }: Terms): Lease {
  if (renewForMs === undefined) return lease;
  const until = performance.now() + renewForMs;
  const renewing = setInterval(() => {
    if (lease.isOver || performance.now() > until) clearInterval(renewing);
    // Where the database is unavailable, it may end before it is renewed: its holder learns that from `holdLease`.
    else void renewLease(lease, leaseMs).catch(() => undefined);
  }, leaseMs / 3).unref();
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
    .set({ expires_at: inMs(leaseMs) })
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

/** The same for its last work: released with the commit, in the statement that holds it. Throws `LeaseLost`. */
export async function releaseHeld(trx: Transaction<Database>, lease: Lease): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("leases")
    .set({ expires_at: 0 })
    .where("name", "=", lease.name)
    .where("holder", "=", lease.holder)
    .where("expires_at", ">", steadyNow())
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new LeaseLost(lease.name);
  await afterCommit(trx, async () => {
    lease.isOver = true;
  });
}

/** This process was paused until its lease ended; another may do the work now. */
class LeaseLost extends Error {
  override readonly name: string = "LeaseLost";
  constructor(name: string) {
    super(`the lease ${name} was lost`);
  }
}

/** By its name: the framework may load a module twice, and `instanceof` would know one of the two classes only. */
export function isLeaseLost(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "LeaseLost";
}

function inMs(ms: number) {
  return sql<number>`${steadyNow()} + cast(${ms} as integer)`;
}

/** Longer than a statement on SQLite waits for its turn, in which the holder may renew the lease. */
const longestWaitMs = 10_000;

async function take(executor: Executor, name: string, leaseMs: number): Promise<Lease | null> {
  const holder = randomUUID();
  const end = inMs(leaseMs);
  const row = await executor
    .insertInto("leases")
    .values({ name, holder, expires_at: end, fence: 1 })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: end, fence: sql<number>`leases.fence + 1` })
        .where(({ eb, or }) =>
          or([
            eb("leases.expires_at", "<=", steadyNow()),
            eb("leases.expires_at", ">", inMs(leaseMs + longestWaitMs)),
          ]),
        ),
    )
    .returning(["holder", "fence"])
    .executeTakeFirst();
  if (row?.holder !== holder) return null;
  const lease: Lease = {
    name,
    holder,
    fence: row.fence,
    isOver: false,
    release: async () => {
      if (lease.isOver) return;
      lease.isOver = true;
      await release(db(), lease);
    },
  };
  return lease;
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
