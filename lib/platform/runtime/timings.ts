import { processWide } from "./process-wide";

/**
 * How long saves and readings wait, in milliseconds, all in one place: unit tests replace this module with
 * `testing/timings.ts`, which waits a fraction of it, so it is imported by its full path.
 */

/** Of one call to the payment service; `CallLimits` says what each is for. */
export const callTimings = {
  connectMs: 3_000,
  totalMs: 10_000,
  exchangeMs: 8_000,
  minWriteMs: 500,
  retryPauseMs: 200,
};

export const requestTimings = {
  /**
   * How long a mutation waits for the database to say whether it may be made. What is left of the ten seconds is enough
   * to answer that a save was not made.
   */
  checksMs: 8_000,
};

export const readTimings = {
  /** A connection is read for people at most this often. */
  betweenReadingsMs: 500,
  /** A page waits so long for its reading, and then comes with what is known: nobody notices the wait. */
  atOnceMs: 40,
};

export const saveTimings = {
  /**
   * Every save is answered within this time from when it had arrived, including the wait for another save, whatever the
   * database does.
   */
  answerMs: 9_900,
  /** Shared by the steps of a save. */
  saveMs: 9_500,
  waitForOtherSaveMs: 4_000,
  /**
   * How long the lock of a killed save lasts: less than another save waits, and longer than a working process is
   * paused. A live save renews it until no save can still be running.
   */
  lockMs: 3_000,
  renewLockForMs: 20_000,
  firstFetchMs: 4_000,
  /** Reserved for reading the outcome, so the write may not use it up. */
  readBackMs: 3_000,
  /** With less than this left, no write begins. */
  minWriteMs: 1_000,
  /** With less than this left, no answer can be expected. */
  minFetchMs: 200,
  /** The wait before each fetch: a service may take a while to show what it accepted. */
  fetchAgainAfterMs: [0, 600, 1_800],
  /**
   * When a save with an unknown outcome is followed up, since it was sent; its time is over at the last one. The soak
   * shortens them for the program that it starts.
   */
  followAtMs: processWide<readonly [number, ...number[]]>("follow-saves-at", () => [
    5_000, 15_000, 60_000, 180_000, 600_000,
  ]),
  /** How long a request for a save's outcome waits for a save that holds the lock, or waits for it. */
  waitForOperationMs: 2_000,
};

/** Of the process that reads what is due, for all instances. */
export const readerTimings = {
  /** Between two queries for open saves and alerts that are due. */
  roundMs: 1_000,
  /** Another process takes over this long after the reader died. */
  leaseMs: 15_000,
};
