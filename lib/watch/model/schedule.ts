import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { requestedPauseMs, isOfService } from "./service";

/**
 * When a connection is read next in the background, and what its last readings showed. Pure: the effect of one reading
 * on a schedule. docs/decisions/watch.md says why.
 */
export type ReadingSchedule = {
  /** On the steady clock. */
  dueAt: number;
  /** Consecutive failed readings. */
  failures: number;
  fault: FaultCode | null;
  /** These are times of day, for people. */
  failingSince: number | null;
  /** When the alert that it fails was sent. */
  alertedAt: number | null;
  confirmedAt: number | null;
  outside: Outside | null;
};

/** `onlyValue`: their addresses are the same, and the service shows other values. */
type Outside = { since: number; onlyValue: boolean };

/** The facts of a reading that may need attention. */
export type Facts = {
  /** The first change of another client of the service that nobody has acknowledged. */
  outside: Outside | null;
};

type ReadingResult = {
  at: number;
  fault: FaultCode | null;
  /** Whole seconds of the pause that the service asked for. */
  retryAfter?: number | undefined;
  /** null where it failed, or where only a pending save explains what it showed. */
  facts: Facts | null;
  /** Whether it was a scheduled one; otherwise a person's. */
  isScheduled: boolean;
};

type ReadingContext = {
  /** On the steady clock. */
  now: number;
  everyMs: number;
  /** The service itself does not answer: the fault is not this connection's. */
  isDown: boolean;
  /** The service asks everybody to slow down, not this connection alone. */
  isSlowed: boolean;
  /** From 0 to 1. */
  random: number;
};

const minute = 60_000;
/** The delay for a failing connection: after the first failure, the second, and every other. */
const backoffMs = [15 * minute, 60 * minute, 360 * minute] as const;

/** How long a connection fails before an alert is sent. */
export const alertAfterMs = 30 * minute;

export function newSchedule(dueAt: number): ReadingSchedule {
  return {
    dueAt,
    failures: 0,
    fault: null,
    failingSince: null,
    alertedAt: null,
    confirmedAt: null,
    outside: null,
  };
}

export function afterReading(
  schedule: ReadingSchedule,
  reading: ReadingResult,
  context: ReadingContext,
): ReadingSchedule {
  const { fault, at, facts, isScheduled } = reading;
  const { now, everyMs, isDown, random } = context;
  // Another instance's reading, which began later, was written sooner.
  const aheadMs = (schedule.confirmedAt ?? 0) - at;
  if (aheadMs > 0 && aheadMs < minute)
    return isScheduled ? { ...schedule, dueAt: onTime(schedule, context) } : schedule;
  // A request to slow down says nothing about the connection. It is due after the pause, behind those due by then: at
  // the front, one rate-limited client would keep all others from being read.
  if (fault === "upstream_rate_limited")
    return isScheduled ? afterSlowing(schedule, reading, context) : schedule;
  if (fault !== null) {
    const failing = { ...schedule, fault, failingSince: schedule.failingSince ?? at };
    if (isDown && isOfService(fault)) return { ...failing, dueAt: onTime(schedule, context) };
    // A person's reading resets the delay: the next one may work.
    const failures = isScheduled ? schedule.failures + 1 : 1;
    return { ...failing, failures, dueAt: now + backoffOf(failures, context) };
  }
  const wasFailing = schedule.failures > 0;
  return {
    ...schedule,
    dueAt: isScheduled
      ? onTime(schedule, context)
      : wasFailing
        ? Math.min(schedule.dueAt, now + Math.round(random * everyMs))
        : schedule.dueAt,
    failures: 0,
    fault: null,
    failingSince: null,
    alertedAt: null,
    confirmedAt: Math.max(schedule.confirmedAt ?? 0, at),
    ...facts,
  };
}

/**
 * A connection that alone is slowed down and has not been read for two periods counts as failing: anybody with its
 * credentials can keep it rate limited to hide what they change. It then pauses no other (`serviceAfter`), so it waits
 * itself for as long as the service says, instead of a period at most.
 */
function afterSlowing(
  schedule: ReadingSchedule,
  { fault, at, retryAfter }: ReadingResult,
  { now, everyMs, isSlowed }: ReadingContext,
): ReadingSchedule {
  const isUnread = schedule.confirmedAt === null || at - schedule.confirmedAt > 2 * everyMs;
  const pauseMs = requestedPauseMs(retryAfter);
  const waiting = { ...schedule, dueAt: now + (isUnread ? pauseMs : Math.min(pauseMs, everyMs)) };
  if (isSlowed || !isUnread) return waiting;
  return {
    ...waiting,
    fault,
    failures: schedule.failures + 1,
    failingSince: schedule.failingSince ?? at,
  };
}

/**
 * One period after it was due, not after it was read, so that readings stay evenly spread; after it was read where that
 * is sooner, since it was read before it was due. Skips periods that have passed. Subtracts 1% to 2% of a period: a reading may be that late and still find a change within a period, and
 * coinciding readings drift apart.
 */
function onTime({ dueAt }: ReadingSchedule, { now, everyMs, random }: ReadingContext): number {
  if (everyMs === 0) return now;
  const periods = Math.max(1, Math.floor((now - dueAt) / everyMs) + 1);
  return (
    Math.min(dueAt + periods * everyMs, now + everyMs) - Math.round((1 + random) * 0.01 * everyMs)
  );
}

function backoffOf(failures: number, { everyMs, random }: ReadingContext): number {
  const ms = backoffMs[Math.min(failures, backoffMs.length) - 1] ?? backoffMs[0];
  // The second failure decides whether people hear of it, so it does not wait for a longer period.
  return Math.round((failures === 1 ? ms : Math.max(ms, everyMs)) * (0.9 + 0.2 * random));
}

/** No reading is ever due further ahead: such a time is from before the machine, and its steady clock, restarted. */
export function maxAheadMs(everyMs: number): number {
  return 1.2 * Math.max(backoffMs[2], everyMs);
}
