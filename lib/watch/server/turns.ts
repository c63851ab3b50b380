import "server-only";
import { db, isPostgres, type Executor } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import type { Database, WatchServiceRow, WatchTurnRow } from "@/lib/platform/database/tables";
import { env, type WatchPlan } from "@/lib/platform/env/env";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { allow, paceOf, type ServiceState } from "@/lib/watch/model/service";
import { newTurn, type Turn } from "@/lib/watch/model/turn";
import { sql, type Transaction } from "kysely";

/** The watch's two clocks; tests have their own. */
export type WatchClock = {
  /** The steady clock, which all workers share; within a transaction read through it. */
  steady: (executor?: Executor) => Promise<number>;
  /** The time of day. */
  wall: () => number;
};

export const realClock: WatchClock = { steady: readSteadyClock, wall: () => Date.now() };

/** How long a worker that died holds its turns. Twice the longest reading, with time to spare. */
export const leaseMs = 30_000;

/** An environment as the watch reads it. */
export type Watched = { environment: string; baseUrl: string; plan: WatchPlan };

/** null where it is not watched. */
export function watchedEnvironment(environment: string): Watched | null {
  const plan = env().watch.get(environment);
  const baseUrl = env().environments.get(environment);
  return plan && baseUrl !== undefined ? { environment, baseUrl, plan } : null;
}

type Claiming = { worker: string; clock: WatchClock; want: number; size: number };

type Claimed = {
  /** Connections that the worker took; nobody else has them until its lease expires. */
  claims: string[];
  /** There may be more at once: neither the budget nor the due turns were used up. */
  mayGoOn: boolean;
};

/**
 * Takes due turns, the longest due first, within the budget. Concurrent workers get different ones: on PostgreSQL by
 * skipping locked rows, on SQLite one after the other.
 */
export async function claimTurns(
  watched: Watched,
  { worker, clock, want, size }: Claiming,
): Promise<Claimed> {
  const { environment, baseUrl, plan } = watched;
  if (want <= 0 || !(await mayBeAny(watched, await clock.steady())))
    return { claims: [], mayGoOn: false };
  return db()
    .transaction()
    .execute(async (trx) => {
      const before = await lockService(trx, { environment, baseUrl });
      // Only now: while this one waited, another one may have taken turns, with leases that would seem too long.
      const now = await clock.steady(trx);
      const pace = paceOf(plan, size);
      const { count, isProbe, state } = allow(before, { now, want, pace });
      const ids = count === 0 ? [] : await freeTurns(trx, environment, { now, count, isProbe });
      if (ids.length === 0) return { claims: [], mayGoOn: false };
      await trx
        .updateTable("watch_turns")
        .set({ lease_until: now + leaseMs, holder: worker })
        .where("connection_id", "in", ids)
        .execute();
      // Turns that were not taken cost nothing.
      const unused = (count - ids.length) * (1_000 / pace.rate);
      await storeService(
        trx,
        { environment, baseUrl },
        {
          ...state,
          pacedUntil: state.pacedUntil - (isProbe ? 0 : unused),
        },
      );
      return { claims: ids, mayGoOn: ids.length === want };
    });
}

/** Without a transaction, which on SQLite would keep others from writing: most of the time nothing is due. */
async function mayBeAny({ environment, baseUrl }: Watched, now: number): Promise<boolean> {
  const due = await db()
    .selectFrom("watch_turns")
    .select("connection_id")
    .where("environment", "=", environment)
    .where("due_at", "<=", now)
    .where(isFree(now))
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  // While the service is down, one that is not due is tried.
  return due !== undefined || isServiceDown({ environment, baseUrl });
}

/** Whether the circuit of the environment's service is open. */
export async function isServiceDown({
  environment,
  baseUrl,
}: Pick<Watched, "environment" | "baseUrl">): Promise<boolean> {
  const service = await db()
    .selectFrom("watch_services")
    .select("down_since")
    .where("environment", "=", environment)
    .where("base_url", "=", baseUrl)
    .executeTakeFirst();
  return typeof service?.down_since === "number";
}

/** A lease that ends later than possible is from before the steady clock restarted. */
function isFree(now: number) {
  return sql<boolean>`(lease_until <= ${now} or lease_until > ${now + leaseMs})`;
}

/** A probe takes whichever is due next: while the service does not answer, all of them may have been put off. */
async function freeTurns(
  trx: Transaction<Database>,
  environment: string,
  { now, count, isProbe }: { now: number; count: number; isProbe: boolean },
): Promise<string[]> {
  const rows = await trx
    .selectFrom("watch_turns")
    .select("connection_id")
    .where("environment", "=", environment)
    .where(isFree(now))
    .$if(!isProbe, (query) => query.where("due_at", "<=", now))
    .orderBy("due_at")
    .limit(count)
    .$if(onPostgres(), (query) => query.forUpdate().skipLocked())
    .execute();
  return rows.map(({ connection_id }) => connection_id);
}

/** Releases turns that this worker took and will not read. */
export async function releaseTurns(worker: string, claims: readonly string[]): Promise<void> {
  if (claims.length === 0) return;
  await db()
    .updateTable("watch_turns")
    .set({ lease_until: 0, holder: null })
    .where("connection_id", "in", claims)
    .where("holder", "=", worker)
    .execute();
}

export async function putOffTurn(
  worker: string,
  connectionId: string,
  dueAt: number,
): Promise<void> {
  await db()
    .updateTable("watch_turns")
    .set({ lease_until: 0, holder: null, due_at: dueAt })
    .where("connection_id", "=", connectionId)
    .where("holder", "=", worker)
    .execute();
}

export function onPostgres(): boolean {
  return isPostgres(env().databaseUrl.reveal());
}

/** Writes first, so that concurrent workers wait, and then see what was spent. */
export async function lockService(
  trx: Transaction<Database>,
  { environment, baseUrl }: Pick<Watched, "environment" | "baseUrl">,
): Promise<ServiceState> {
  const row = await trx
    .insertInto("watch_services")
    .values({
      environment,
      base_url: baseUrl,
      paced_until: 0,
      paused_until: 0,
      faults: 0,
      down_since: null,
      probe_at: 0,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "base_url"])
        .doUpdateSet((eb) => ({ faults: eb.ref("watch_services.faults") })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return serviceOf(row);
}

function serviceOf(row: WatchServiceRow): ServiceState {
  return {
    pacedUntil: row.paced_until,
    pausedUntil: row.paused_until,
    faults: row.faults,
    downSince: row.down_since,
    probeAt: row.probe_at,
  };
}

export async function storeService(
  trx: Transaction<Database>,
  { environment, baseUrl }: Pick<Watched, "environment" | "baseUrl">,
  state: ServiceState,
): Promise<void> {
  await trx
    .updateTable("watch_services")
    .set({
      paced_until: Math.round(state.pacedUntil),
      paused_until: Math.round(state.pausedUntil),
      faults: state.faults,
      down_since: state.downSince,
      probe_at: Math.round(state.probeAt),
    })
    .where("environment", "=", environment)
    .where("base_url", "=", baseUrl)
    .execute();
}

/** A row as read from this connection; readings from another address, or as another client, do not count. */
export function turnOf(
  row: WatchTurnRow | undefined,
  { baseUrl, clientId }: { baseUrl: string; clientId: string },
  dueAt: number,
): Turn {
  if (!row) return newTurn(dueAt);
  if (row.base_url !== baseUrl || row.client_id !== clientId) return newTurn(row.due_at);
  return {
    dueAt: row.due_at,
    failures: row.failures,
    fault: row.fault_code as FaultCode | null,
    failingSince: row.failing_since,
    alertedAt: row.told_failing_at,
    confirmedAt: row.confirmed_at,
    outside:
      row.outside_at === null
        ? null
        : {
            since: row.outside_at,
            onlyValue: row.outside_only_value === 1,
          },
  };
}

export function rowOf(turn: Turn) {
  return {
    due_at: Math.round(turn.dueAt),
    failures: turn.failures,
    fault_code: turn.fault,
    failing_since: turn.failingSince,
    told_failing_at: turn.alertedAt,
    confirmed_at: turn.confirmedAt,
    outside_at: turn.outside?.since ?? null,
    outside_only_value: turn.outside?.onlyValue === true ? 1 : 0,
  };
}
