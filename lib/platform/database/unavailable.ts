import "server-only";
import { randomBytes } from "node:crypto";
import { msLeft, withoutDeadline } from "./deadline";
import type { Db } from "./open";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { requestNote } from "@/lib/platform/log/request-note";
import { countDatabaseFailure } from "@/lib/platform/metrics/metrics";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { AsyncLocalStorage } from "node:async_hooks";

/** The interval of trial writes, however often readiness is requested: while all is well, and while it is not. */
const intervalMs = 60_000;
const retryMs = 5_000;

/** A few pages' worth: on a full disk a single row may still fit into a page. */
const rows = 200;

/**
 * Why nothing can be written, or null: a full disk still answers every query. Uses the writes that failed for such a
 * reason, and otherwise tries a write now and then that leaves nothing behind; `no_answer` is that one's alone, since
 * any other may have had less time. Waits for a trial for as long as the caller has time, and then says what was known.
 */
export async function writeFault(db: Db): Promise<Writing["fault"]> {
  const state = writing();
  const now = performance.now();
  if (state.isTrying || now - state.askedAt < (state.fault ? retryMs : intervalMs))
    return state.fault;
  state.askedAt = now;
  await withTimeout(msLeft(intervalMs), tryToWrite(db, state));
  return state.fault;
}

/** With the time that requests have: where writing is merely slow, people can still save. */
async function tryToWrite(db: Db, state: Writing): Promise<void> {
  state.isTrying = true;
  try {
    await withoutDeadline(() => writeAndDelete(db));
    state.fault = null;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    // Another process writes, so writing works; a full disk and the like have been recorded.
    if (error.reason === "no_answer") state.fault = error.reason;
  } finally {
    state.isTrying = false;
  }
}

async function writeAndDelete(db: Db): Promise<void> {
  const names = Array.from({ length: rows }, () => `probe ${randomBytes(28).toString("hex")}`);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("markers")
      .values(names.map((name) => ({ name, done_at: 0 })))
      .execute();
    await trx.deleteFrom("markers").where("name", "in", names).execute();
  });
}

/**
 * Why the database failed, through no fault of the statement: no connection or no answer in time, a lock held by
 * another, a full disk, or a server that refuses writes.
 */
export const reasons = ["no_answer", "locked", "disk_full", "read_only"] as const;
export type Reason = (typeof reasons)[number];

/** The database is unavailable; the same may work later. `code` is that of the cause. */
export class DatabaseUnavailable extends Error {
  readonly reason: Reason;
  readonly code: string | undefined;
  /** The framework passes on only this of an error; the page uses it to say what happened. */
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
  fault: Exclude<Reason, "locked"> | null;
  /** When that was seen, or last tried; on the clock of `performance`. */
  askedAt: number;
  isTrying: boolean;
};

/**
 * The state of the database for all writes, learned from the last write that failed because of it, or from the last
 * that was tried.
 */
export const writing = () =>
  processWide<Writing>("database-writing", () => ({
    fault: null,
    askedAt: -Infinity,
    isTrying: false,
  }));

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

/** Leases and counters are temporary, and change nothing that anybody requested. */
const bookkeeping = /^\s*(?:insert\s+into|update|delete\s+from)\s+"(?:leases|rate_limits)"/i;

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
