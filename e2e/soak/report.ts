export type Report = ReturnType<typeof reportTo>;

export type Printed = { violations: number };

const shownViolations = 20;

/** What a part of the soak found. Prints as it goes, so that an aborted run has reported what it found. */
export function reportTo(printed: Printed) {
  /** Makes the whole run fail. */
  const violation = (text: string) => {
    printed.violations += 1;
    if (printed.violations <= shownViolations) console.log(`  VIOLATION ${text}`);
  };
  return {
    figure: (name: string, value: string | number) => {
      console.log(`  ${name.padEnd(58)} ${value}`);
    },
    violation,
    /** `violation(text())` unless `holds`. */
    check: (holds: boolean, text: () => string) => {
      if (!holds) violation(text());
    },
  };
}

/** Median, 95th percentile and maximum of some durations, in milliseconds. */
export function spread(durations: readonly number[]): string {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (part: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)}`;
}

/** How often each value occurs, the most frequent first. */
export function tally(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => `${value} ${count}`)
    .join(", ");
}
