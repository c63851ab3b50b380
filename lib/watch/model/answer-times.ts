/**
 * How many list calls of an hour took how long. Each step is a quarter longer than the one before it, from one
 * millisecond to ten seconds, so that a percentile is right to an eighth of itself; and it is always of the same size.
 */
export type AnswerTimes = readonly number[];

const step = 1.25;
const steps = Math.ceil(Math.log(10_000) / Math.log(step)) + 1;

export const noAnswers: AnswerTimes = Array.from({ length: steps }, () => 0);

export function withAnswer(times: AnswerTimes, ms: number): AnswerTimes {
  const at = Math.min(
    steps - 1,
    Math.max(0, Math.ceil(Math.log(Math.max(1, ms)) / Math.log(step))),
  );
  return times.map((count, index) => (index === at ? count + 1 : count));
}

export function addAnswers(one: AnswerTimes, other: AnswerTimes): AnswerTimes {
  return noAnswers.map((_, at) => (one[at] ?? 0) + (other[at] ?? 0));
}

/** The duration within which this share (0 to 1) of the calls ended, milliseconds; null where there were none. */
export function percentile(times: AnswerTimes, share: number): number | null {
  const all = times.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  for (const [at, count] of times.entries()) {
    below += count;
    if (below >= share * all) return Math.round(at === 0 ? 1 : step ** (at - 0.5));
  }
  return Math.round(step ** (steps - 1));
}
