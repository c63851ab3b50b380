import "server-only";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { requestNote } from "@/lib/platform/log/request-note";
import { countDatabaseFailure } from "@/lib/platform/metrics/metrics";
import { errorCode } from "@/lib/platform/runtime/error-code";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Why the database failed, through no fault of the statement: no connection or no answer in time, a lock held by
 * another, a full disk, or a server that refuses writes.
 */
export const reasons = ["no_answer", "locked", "disk_full", "read_only"] as const;
export type Reason = (typeof reasons)[number];

/** The database is away for now; the same may work later. `code` is that of the cause. */
export class DatabaseUnavailable extends Error {
  readonly reason: Reason;
  readonly code: string | undefined;
  /** The framework passes on nothing else of an error: by this, the page says what happened. */
  readonly digest: ProblemCode = "database_unavailable";
  /** Set by a caller that knows the whole operation: whether any of it may have been done. */
  applied?: "no" | "unknown";
  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatabaseUnavailable";
    this.reason = reason;
    this.code = errorCode(options?.cause);
    // Here, because the library reports statements only, and most work of an outage gets no connection to begin one.
    countDatabaseFailure(reason);
    const note = requestNote();
    if (note) note.lackedDatabase = true;
    if (reason === "disk_full" || reason === "read_only")
      Object.assign(writing(), { fault: reason, askedAt: performance.now() });
  }
}

/** By its name: the framework may load a module twice, and `instanceof` would know one of the two classes only. */
export function isDatabaseUnavailable(thrown: unknown): thrown is DatabaseUnavailable {
  return thrown instanceof Error && thrown.name === "DatabaseUnavailable";
}

type Writing = {
  /** Why every write would fail, as far as is known. */
  fault: Extract<Reason, "disk_full" | "read_only"> | null;
  /** When that was seen, or last tried; on the clock of `performance`. */
  askedAt: number;
};

/**
 * The state of the database for all writes, learned from the last write that failed because of it, or from the last
 * that was tried.
 */
export const writing = () =>
  processWide<Writing>("database-writing", () => ({ fault: null, askedAt: -Infinity }));

type Effects = { may: boolean };

const effects = () => processWide("database-effects", () => new AsyncLocalStorage<Effects>());

/**
 * Runs `work` with a function that says, even during `work` and after it failed, whether it may have changed anything.
 */
export function watchingWrites<Result>(
  work: (mayHaveWritten: () => boolean) => Promise<Result>,
): Promise<Result> {
  const own: Effects = { may: false };
  return effects().run(own, () => work(() => own.may));
}

/** For the drivers: the statement is, or may be, durably in the database. */
export function recordWrite(): void {
  const own = effects().getStore();
  if (own) own.may = true;
}

/** A lease is temporary, and changes nothing that anybody requested. */
const bookkeeping = /^\s*(?:insert\s+into|update|delete\s+from)\s+"leases"/i;

const reading = /^\s*(?:select|show|explain|pragma)\b/i;
const changing = /\b(?:insert|update|delete|merge)\b/i;

/** Whether a statement changes anything; in doubt it does. */
export function isWrite(sql: string): boolean {
  if (reading.test(sql)) return false;
  return !/^\s*with\b/i.test(sql) || changing.test(sql);
}

/** Whether it changes anything that somebody may have requested. */
export function isEffect(sql: string): boolean {
  return isWrite(sql) && !bookkeeping.test(sql);
}
