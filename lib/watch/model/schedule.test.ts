import { expect, it } from "vitest";
import { afterReading, newSchedule } from "./schedule";

const minute = 60_000;
const confirmed = { ...newSchedule(0), confirmedAt: 100 * minute };
const slowed = { fault: "upstream_rate_limited", facts: null, isScheduled: true } as const;
const context = { now: 5, everyMs: 15 * minute, isDown: false, isSlowed: false, random: 0.5 };

it("fails where it alone has been slowed down for two periods (threat: somebody keeps a connection rate limited to hide their changes)", () => {
  const after = (minutes: number, own = context) =>
    afterReading(confirmed, { ...slowed, at: (100 + minutes) * minute }, own);
  expect(after(29)).toMatchObject({ failures: 0, failingSince: null, fault: null });
  expect(after(31)).toMatchObject({
    failures: 1,
    failingSince: 131 * minute,
    fault: "upstream_rate_limited",
  });
  expect(after(31, { ...context, isSlowed: true })).toMatchObject({ failingSince: null });
  const facts = { outside: null };
  const read = { fault: null, facts, isScheduled: true, at: 140 * minute };
  expect(afterReading(after(31), read, context)).toMatchObject({ failures: 0, failingSince: null });
});

it("comes after the others when it is asked to slow down, and waits no longer than a period until it fails", () => {
  const after = (retryAfter?: number, at = 0) =>
    afterReading(confirmed, { ...slowed, at, retryAfter }, context).dueAt;
  expect([after(), after(90), after(3_600), after(3_600, 131 * minute)]).toEqual([
    5 + minute,
    5 + 1.5 * minute,
    5 + 15 * minute,
    5 + 60 * minute,
  ]);
});

it("learns nothing from a reading that began before the last one, which another instance wrote sooner", () => {
  const outside = { since: 100 * minute, onlyValue: false };
  const after = { ...confirmed, outside };
  const earlier = { at: 100 * minute - 2_000, retryAfter: undefined, isScheduled: false };
  for (const said of [
    { fault: null, facts: { outside: null } },
    { fault: "upstream_unavailable" as const, facts: null },
  ])
    expect(afterReading(after, { ...earlier, ...said }, context)).toEqual(after);
  // Unless the clock was set back.
  const later = { ...earlier, at: 0, fault: null, facts: { outside: null } };
  expect(afterReading(after, later, context).outside).toBeNull();
});
