import "server-only";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * How long to wait for the database, in milliseconds. A connection and a statement together stay below the ten seconds
 * within which a save is answered. Work with less time left sets `withinMs`.
 */
export type DatabaseLimits = {
  /** For a connection: until one of the pool is free, or a new one is made. */
  acquireMs: number;
  /** For one statement, its answer included. */
  statementMs: number;
  /** For the embedded database's lock, while another process writes. */
  lockMs: number;
};

export const forRequests: DatabaseLimits = { acquireMs: 4_000, statementMs: 5_000, lockMs: 5_000 };

/** Programs at a console, where no request waits: a migration of large tables takes time. */
export const forPrograms: DatabaseLimits = {
  acquireMs: 10_000,
  statementMs: 600_000,
  lockMs: 30_000,
};

const ends = () =>
  processWide("database-deadline", () => new AsyncLocalStorage<number | undefined>());

/**
 * Runs `work`, in which every wait for the database ends within `ms` from now: a wait that takes longer fails as
 * `DatabaseUnavailable`. Keeps an outer deadline that is earlier. It bounds the waits, not the work between them.
 */
export function withinMs<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + ms;
  return ends().run(Math.min(end, ends().getStore() ?? end), work);
}

/** Runs `work` by the database's own limits, whatever its caller's: for work that goes on when the caller has ended. */
export function withoutDeadline<Result>(work: () => Promise<Result>): Promise<Result> {
  return ends().run(undefined, work);
}

/** How long to wait now: `most`, or less where a deadline is nearer. 0 or below: not at all. */
export function msLeft(most: number): number {
  const end = ends().getStore();
  return end === undefined ? most : Math.min(most, Math.ceil(end - performance.now()));
}
