import { expect, it } from "vitest";
import { addAnswers, noAnswers, percentile, withAnswer } from "./answer-times";

it.each([1, 7, 40, 123, 950, 4_000])(
  "a percentile of calls of %i ms is right to an eighth",
  (ms) => {
    const times = Array.from({ length: 20 }).reduce<typeof noAnswers>(
      (all) => withAnswer(all, ms),
      noAnswers,
    );
    const found = percentile(times, 0.95) ?? 0;
    expect(Math.abs(found - ms)).toBeLessThanOrEqual(Math.max(1, ms / 8));
  },
);

it("tells the slow ones from the others, and adds what several processes counted", () => {
  const some = (count: number, ms: number) =>
    Array.from({ length: count }).reduce<typeof noAnswers>((all) => withAnswer(all, ms), noAnswers);
  const both = addAnswers(some(90, 20), some(10, 2_000));
  expect(percentile(both, 0.5)).toBeLessThan(25);
  expect(percentile(both, 0.95)).toBeGreaterThan(1_700);
  expect(percentile(noAnswers, 0.95)).toBeNull();
  expect(percentile(withAnswer(noAnswers, 60_000), 0.5)).toBeGreaterThan(8_000);
  expect(addAnswers([], some(1, 5))).toEqual(some(1, 5));
});
