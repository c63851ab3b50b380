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

/**
 * The interval of trial writes, however often readiness is requested: while all is well, while it is not, and after the
 * database has kept silent, which it may do now and then.
 */
const intervalMs = 60_000;
const retryMs = 5_000;
const afterSilenceMs = 30_000;

/** A few pages' worth: on a full disk a single row may still fit into a page. */
const rows = 200;

/**
 * Why nothing can be written, or null: a full disk still answers every query. Uses the work of requests that failed for
 * such a reason, and otherwise tries a write now and then that leaves nothing behind. Waits for a trial for as long as
 * the caller has time, and then says what was known.
 */
export async function writeFault(db: Db): Promise<Writing["fault"]> {
  const state = writing();
  const now = performance.now();
  if (state.isTrying || now < state.tryAt) return state.fault;
  state.tryAt = now + (state.fault ? retryMs : intervalMs);
  await withTimeout(msLeft(intervalMs), tryToWrite(db, state));
  return state.fault;
}

/** With the time that requests have: where writing is merely slow, people can still save. */
async function tryToWrite(db: Db, state: Writing): Promise<void> {
  const began = performance.now();
  state.isTrying = true;
  try {
    await withoutDeadline(() => writeAndDelete(db));
    if (state.silentAt <= began) setFault(null, intervalMs);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    // Another process writes, so writing works; a full disk and the like have been recorded.
    if (error.reason === "no_answer") setFault("no_answer", retryMs);
  } finally {
    state.isTrying = false;
  }
}

function setFault(fault: Writing["fault"], tryInMs: number): void {
  Object.assign(writing(), { fault, tryAt: performance.now() + tryInMs });
}

/**
 * For the drivers: the database kept silent for as long as a request waits, about something that began at `began`. The
 * first time it may be a connection that leads nowhere any more, which is replaced. Where what began after that meets
 * silence too, requests fail, and so would others.
 */
export function recordSilence(began: number): void {
  const state = writing();
  const isAgain = began >= state.silentAt && began - state.silentAt < afterSilenceMs;
  state.silentAt = performance.now();
  if (isAgain) setFault("no_answer", afterSilenceMs);
}

/** For the drivers: the database has answered a statement. */
export function recordAnswer(): void {
  writing().answeredAt = performance.now();
}

/** Whether the database has answered anything since then, on the clock of `performance`. */
export function hasAnsweredSince(moment: number): boolean {
  return writing().answeredAt > moment;
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
  override readonly name: string = "DatabaseUnavailable";
  readonly reason: Reason;
  readonly code: string | undefined;
  /** What was asked of the database may have been carried out all the same. */
  readonly mayHaveRun: boolean;
  /** The framework passes on only this of an error; the page uses it to say what happened. */
  readonly digest: ProblemCode = "database_unavailable";
  /** Set by a caller that knows the whole operation: whether any of it may have been done. */
  applied?: "no" | "unknown";
  constructor(
    reason: Reason,
    message: string,
    { mayHaveRun = false, ...options }: ErrorOptions & { mayHaveRun?: boolean } = {},
  ) {
    super(message, options);
    this.mayHaveRun = mayHaveRun;
    this.reason = reason;
    this.code = errorCode(options?.cause);
    // Here, because the library reports statements only, and most work of an outage gets no connection to begin one.
    countDatabaseFailure(reason);
    const note = requestNote();
    if (note) note.lackedDatabase = true;
    if (reason === "disk_full" || reason === "read_only") setFault(reason, retryMs);
  }
}

/** By its name: the framework may load a module twice, and `instanceof` would know one of the two classes only. */
export function isDatabaseUnavailable(thrown: unknown): thrown is DatabaseUnavailable {
  return thrown instanceof Error && thrown.name === "DatabaseUnavailable";
}

/**
 * The one rule, for both databases: what an error of a driver's is to its caller. It stays as it is where it is the
 * statement's, or our own mistake.
 */
export function unavailable(cause: unknown, { mayHaveRun = false } = {}): unknown {
  if (isDatabaseUnavailable(cause)) return cause;
  const reason = reasonOf(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return reason ? new DatabaseUnavailable(reason, message, { cause, mayHaveRun }) : cause;
}

/** Undefined for an error that has to do with the statement. */
export function reasonOf(error: unknown): Reason | undefined {
  const code = errorCode(error) ?? "";
  const [ofFile] = /^SQLITE_[A-Z]+/.exec(code) ?? [];
  if (ofFile !== undefined) return byCode[ofFile];
  if (isOfServer(error)) return byCode[code] ?? byCode[code.slice(0, 2)];
  // No answer came: the connection broke, or is silent.
  return error instanceof TypeError || error instanceof RangeError ? undefined : "no_answer";
}

/** An error that PostgreSQL answered with; after any other of its driver the outcome is unknown. */
export function isOfServer(error: unknown): error is Error & { severity: string } {
  return error instanceof Error && "severity" in error;
}

/** By SQLite's code without its extension, by SQLSTATE, and by its class. */
const byCode: Partial<Record<string, Reason>> = {
  SQLITE_BUSY: "locked",
  SQLITE_LOCKED: "locked",
  SQLITE_FULL: "disk_full",
  SQLITE_READONLY: "read_only",
  SQLITE_IOERR: "no_answer",
  SQLITE_CANTOPEN: "no_answer",
  // No connection, or none any more.
  "08": "no_answer",
  "25006": "read_only",
  // Two transactions waited for each other; the database ended one of them.
  "40P01": "locked",
  // No room: connections, memory.
  "53": "no_answer",
  "53100": "disk_full",
  "55P03": "locked",
  // A statement that took too long, and a server that stops or starts.
  "57014": "no_answer",
  "57P01": "no_answer",
  "57P02": "no_answer",
  "57P03": "no_answer",
  "57P05": "no_answer",
  // The system under it.
  "58": "no_answer",
};

/** Times are on the clock of `performance`. */
type Writing = {
  /** Why work would fail, as far as is known. */
  fault: Exclude<Reason, "locked"> | null;
  /** When to try a write again. */
  tryAt: number;
  isTrying: boolean;
  /** When the database had last kept silent for as long as a request waits, and last answered. */
  silentAt: number;
  answeredAt: number;
};

/** What requests and trial writes have met. */
export const writing = () =>
  processWide<Writing>("database-writing", () => ({
    fault: null,
    tryAt: -Infinity,
    isTrying: false,
    silentAt: -Infinity,
    answeredAt: -Infinity,
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

/** For `tracked`: the statement is, or may be, durably in the database. */
export function recordWrite(): void {
  const own = effects().getStore();
  if (own) own.may = true;
}
