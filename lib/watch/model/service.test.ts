import { expect, it } from "vitest";
import { allow, newBudget, newService, paceOf, serviceAfter } from "./service";

const minute = 60_000;
const plan = { everyMs: 15 * minute, requestsPerSecond: 300 };

/** How many readings begin in each of these seconds, where a caller requests as many as possible every `everyMs`. */
function begun(seconds: number, size: number, everyMs: number, own = plan): number[] {
  const pace = paceOf(own, size);
  let budget = newBudget;
  const counts: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    let count = 0;
    for (let ms = 0; ms < 1_000; ms += everyMs) {
      const now = 1_000_000 + second * 1_000 + ms;
      const allowed = allow(newService, budget, { now, want: 1_000, pace });
      count += allowed.count;
      budget = allowed.budget;
    }
    counts.push(count);
  }
  return counts;
}

it.each([10, 200, 1_000])(
  "catches up with a backlog at twice the even speed, and not at once, called every %i ms",
  (everyMs) => {
    // 90,000 in a quarter of an hour are 100 a second.
    const counts = begun(60, 90_000, everyMs);
    const sum = counts.reduce((all, count) => all + count, 0);
    expect(sum).toBeLessThanOrEqual(60 * 200 + 100);
    expect(sum).toBeGreaterThanOrEqual((everyMs > 500 ? 0.49 : 0.99) * 60 * 200);
    expect(Math.max(...counts)).toBeLessThanOrEqual(300);
  },
);

it("keeps to the budget, in which a reading is a list call and half a token call", () => {
  const counts = begun(60, 1_000_000, 100, { ...plan, requestsPerSecond: 60 });
  const sum = counts.reduce((all, count) => all + count, 0);
  expect(1.5 * sum).toBeLessThanOrEqual(60 * 60 + 60);
  expect(1.5 * sum).toBeGreaterThanOrEqual(0.98 * 60 * 60);
});

it("reads at least one a second where there are few connections, and the budget allows it", () => {
  expect(begun(10, 3, 100).reduce((all, count) => all + count, 0)).toBeGreaterThanOrEqual(10);
});

const pace = paceOf(plan, 1_000);
const of = { isScheduled: true, isSlowedAlone: false };
type Ended = Parameters<typeof serviceAfter>[1];
/** One after the other. */
const afterAll = (
  before: Parameters<typeof serviceAfter>[0],
  readings: readonly Ended[],
  context: { now: number; size: number },
) => readings.reduce((state, reading) => serviceAfter(state, reading, context), before);
const failed = { ...of, fault: "upstream_timeout", at: 5 } as const;
const fine = { ...of, fault: null, at: 6 } as const;

it("opens the circuit after five consecutive background readings that fail because of the service", () => {
  const after = (readings: readonly Ended[], size = 1_000) =>
    afterAll(newService, readings, { now: 100, size }).downSince;
  expect(after([failed, failed, failed, failed])).toBeNull();
  expect(after([failed, failed, failed, failed, failed])).toBe(5);
  expect(after([failed, failed, fine, failed, failed, failed])).toBeNull();
  expect(after(Array.from({ length: 9 }, () => ({ ...failed, isScheduled: false })))).toBeNull();
  expect(
    after(Array.from({ length: 9 }, () => ({ ...failed, fault: "ip_not_allowed" }))),
  ).toBeNull();
  expect(after([failed, failed], 2)).toBe(5);
});

it("tries one connection a minute while it is open, and closes it on any answer, even a refusal", () => {
  const down = { ...newService, downSince: 5 };
  const at = (now: number, budget = newBudget) => allow(down, budget, { now, want: 50, pace });
  const opened = at(100);
  expect(opened.count).toBe(0);
  expect(at(100 + minute - 1, opened.budget).count).toBe(0);
  const first = at(100 + minute, opened.budget);
  expect(first.count).toBe(1);
  expect(at(100 + 2 * minute - 1, first.budget).count).toBe(0);
  expect(at(100 + 2 * minute, first.budget).count).toBe(1);
  const refused = { ...failed, fault: "credentials_rejected" } as const;
  expect(afterAll(down, [refused], { now: 100, size: 9 })).toMatchObject({
    downSince: null,
    faults: 0,
  });
});

const slowed = { ...of, fault: "upstream_rate_limited", retryAfter: 3_600, at: 5 } as const;

it("stops for a minute where one connection is asked to slow down, for as long as requested where the next one is, too", () => {
  const after = (before: typeof newService, readings: readonly Ended[], now = 100) =>
    afterAll(before, readings, { now, size: 1_000 });
  const first = after(newService, [slowed]);
  expect(first.pausedUntil).toBe(100 + minute);
  expect(after(first, [slowed], 100 + minute).pausedUntil).toBe(100 + minute + 60 * minute);
  const answered = after(first, [fine], 100 + minute);
  expect(after(answered, [slowed], 200 + minute).pausedUntil).toBe(200 + 2 * minute);
  // Readings already in flight say nothing about the time since.
  expect(after(first, [fine, slowed], 200).pausedUntil).toBe(200 + 60 * minute);
});

it("does not stop where people's readings are asked to slow down (threat: one partner's people stop the watch for all)", () => {
  const people = Array.from({ length: 9 }, () => ({ ...slowed, isScheduled: false }));
  expect(afterAll(newService, people, { now: 100, size: 9 })).toEqual(newService);
});

it("does not stop for connections of which it is known that they are slowed down alone", () => {
  const known = Array.from({ length: 9 }, () => ({ ...slowed, isSlowedAlone: true }));
  expect(afterAll(newService, known, { now: 100, size: 9 })).toEqual(newService);
});

it("goes on where the steady clock restarted (threat: nothing is watched after a restart)", () => {
  const paused = { ...newService, pausedUntil: 9e12 };
  const budget = { spentUntil: 9e12, probeAt: 9e12 };
  expect(allow(paused, budget, { now: 1_000, want: 1, pace }).count).toBe(1);
  const down = { ...newService, downSince: 5 };
  expect(allow(down, budget, { now: 1_000, want: 1, pace }).count).toBe(1);
});
