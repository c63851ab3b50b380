import type { FaultCode } from "@/lib/platform/payment-service/model/fault";

/**
 * How fast the connections of one environment may be read: the budget, the pause that the service asked for, and the
 * circuit that opens where it does not answer. Pure.
 */
export type ServiceState = {
  /** The service asked for a pause until then, on the steady clock; 0 once it has answered since. */
  pausedUntil: number;
  /** Consecutive readings that failed because of the service. */
  faults: number;
  /** When the circuit opened, by the time of day; null: it is closed. */
  downSince: number | null;
};

/** All is well, or nothing is known yet. */
export const newService: ServiceState = { pausedUntil: 0, faults: 0, downSince: null };

/** The capacity of background reads of an environment, for all processes together. */
export type WatchPlan = {
  /** Milliseconds from one reading of a connection to the next. */
  everyMs: number;
  requestsPerSecond: number;
  /** Connections being read at the same time. */
  concurrency: number;
  /** A connection that is not due is read where none was for so long: an outage is found soon, however few there are. */
  quietMs: number;
};

/** Enough for 100,000 connections in a quarter of an hour; `paceOf` says how much of it fewer of them use. */
export function planOf(everyMs: number): WatchPlan {
  return { everyMs, requestsPerSecond: 200, concurrency: 25, quietMs: second * 30 };
}

/** What the reader remembers of its own pace, on the steady clock. */
export type Budget = {
  /** Until when it is spent. */
  spentUntil: number;
  /** When the next connection is tried while the circuit is open; null while it is closed. */
  probeAt: number | null;
};

export const newBudget: Budget = { spentUntil: 0, probeAt: null };

type Pace = {
  /** Readings a second. */
  rate: number;
  /** Connections of the environment. */
  size: number;
};

const second = 1_000;
const minute = 60 * second;

/** How many consecutive readings have to fail; fewer, but at least two, where there are fewer connections. */
const faultsToOpen = 5;
/** While the circuit is open, one connection is tried this often. */
const probeEveryMs = minute;
/** How soon others are asked where a reading failed because of the service. */
const doubtMs = 5 * second;
/** Where the service asks to slow down without saying for how long. */
const pauseMs = minute;
/** The longest pause that Retry-After can ask for (`retryAfterSeconds`). */
const maxPauseMs = 60 * minute;
/** How long unused budget is kept. Bounds a burst. */
const burstMs = second / 2;
/** The cost of reading a connection: the list call, and a token that lives for half an hour. */
const tokenMs = 30 * minute;

/** Faults of the service as a whole, or of the network to it; any other may concern one connection. */
const ofService: ReadonlySet<FaultCode> = new Set<FaultCode>([
  "upstream_unavailable",
  "upstream_timeout",
  "connection_refused",
  "connection_failed",
  "proxy_failed",
  "proxy_password",
  "proxy_refused",
  "name_not_found",
  "certificate_expired",
  "certificate_wrong_name",
  "certificate_untrusted",
  "bad_response",
]);

export const serviceFaults: readonly FaultCode[] = [...ofService];

export function isOfService(fault: FaultCode): boolean {
  return ofService.has(fault);
}

/**
 * Within the budget, and at most twice as fast as an even spread needs: a backlog is worked off over half a period, and
 * not at once.
 */
export function paceOf(plan: Pick<WatchPlan, "everyMs" | "requestsPerSecond">, size: number): Pace {
  const requests = 1 + Math.min(1, plan.everyMs / tokenMs);
  const even = (size * second) / plan.everyMs;
  return { size, rate: Math.min(plan.requestsPerSecond / requests, Math.max(1, 2 * even)) };
}

/** How many readings may begin now, and the budget left then. */
export function allow(
  { pausedUntil, downSince }: Pick<ServiceState, "pausedUntil" | "downSince">,
  budget: Budget,
  { now, want, pace }: { now: number; want: number; pace: Pace },
): { count: number; budget: Budget } {
  if (want <= 0 || isBefore(now, pausedUntil, maxPauseMs)) return { count: 0, budget };
  if (downSince !== null) {
    const probeAt = budget.probeAt ?? now + probeEveryMs;
    if (isBefore(now, probeAt, probeEveryMs)) return { count: 0, budget: { ...budget, probeAt } };
    return { count: 1, budget: { ...budget, probeAt: now + probeEveryMs } };
  }
  const eachMs = second / pace.rate;
  // At least one whole reading, or none would ever begin.
  const earliest = now - Math.max(burstMs, eachMs);
  const isPossible = budget.spentUntil <= now + minute;
  const spent = isPossible ? Math.max(budget.spentUntil, earliest) : earliest;
  const count = Math.max(0, Math.min(want, Math.floor((now - spent) / eachMs + 1e-6)));
  return { count, budget: { spentUntil: spent + count * eachMs, probeAt: null } };
}

/**
 * How many connections to read that are not due, where none is and the last reading began at `lastAt`: after a failure
 * as many others as it takes to know whether it is the service's.
 */
export function early(
  { pausedUntil, faults, downSince }: ServiceState,
  { now, lastAt, size, quietMs }: { now: number; lastAt: number; size: number; quietMs: number },
): number {
  if (downSince !== null || isBefore(now, pausedUntil, maxPauseMs)) return 0;
  // The steady clock may have restarted.
  const passed = Math.abs(now - lastAt);
  if (faults > 0) return passed >= doubtMs ? faultsThatOpen(size) - faults : 0;
  return passed >= quietMs ? 1 : 0;
}

function faultsThatOpen(size: number): number {
  return Math.min(faultsToOpen, Math.max(2, size));
}

/** A time too far ahead is from before the steady clock restarted. */
function isBefore(now: number, until: number, longest: number): boolean {
  return now < until && until <= now + longest;
}

type Ended = {
  fault: FaultCode | null;
  /** Whole seconds. */
  retryAfter?: number | undefined;
  isScheduled: boolean;
  /** The connection already counts as failing because the service slows it down alone. */
  isSlowedAlone: boolean;
  at: number;
};

/** The length of the pause that an answer asks for, milliseconds. `retryAfter`: whole seconds. */
export function requestedPauseMs(retryAfter: number | undefined): number {
  return Math.min(retryAfter === undefined ? pauseMs : retryAfter * second, maxPauseMs);
}

/**
 * The state after a reading. The first request to slow down stops them for a minute at most, since the service may be
 * slowing down one client; a second one without an answer in between stops them for as long as the service says.
 */
export function serviceAfter(
  before: ServiceState,
  { fault, retryAfter, isScheduled, isSlowedAlone, at }: Ended,
  { now, size }: { now: number; size: number },
): ServiceState {
  if (fault === "upstream_rate_limited") {
    // It may concern one client, whose own people can cause and prolong it.
    if (!isScheduled || isSlowedAlone) return before;
    const until = before.pausedUntil > now + maxPauseMs ? 0 : before.pausedUntil;
    const pause = requestedPauseMs(retryAfter);
    const forMs = until > 0 ? pause : Math.min(pause, pauseMs);
    return { ...before, pausedUntil: Math.max(until, now + forMs) };
  }
  if (fault !== null && isOfService(fault)) {
    // A person's repeated readings of one failing connection say nothing about the others.
    const faults = before.faults + (isScheduled ? 1 : 0);
    const opens = before.downSince === null && faults >= faultsThatOpen(size);
    return { ...before, faults, downSince: opens ? at : before.downSince };
  }
  // A refusal is an answer, too; but a person may get one that is remembered from before an outage.
  if (fault !== null && !isScheduled) return before;
  const isOver = isScheduled && now >= before.pausedUntil;
  return { pausedUntil: isOver ? 0 : before.pausedUntil, faults: 0, downSince: null };
}
