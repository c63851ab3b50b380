export const periods = ["week", "month", "quarter"] as const;
export type Period = (typeof periods)[number];

/**
 * The days of a period, the last one included: the last seven days, this month so far, or the last whole quarter.
 * Days are `YYYY-MM-DD`.
 */
export function daysOf(period: Period, today: string): { from: string; to: string } {
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  // In UTC, where each day has 24 hours. A day 0 is the last one of the month before.
  const at = (monthIndex: number, dayOfMonth: number) =>
    new Date(Date.UTC(year, monthIndex, dayOfMonth)).toISOString().slice(0, 10);
  switch (period) {
    case "week":
      return { from: at(month - 1, day - 6), to: today };
    case "month":
      return { from: at(month - 1, 1), to: today };
    case "quarter": {
      const first = Math.floor((month - 1) / 3) * 3;
      return { from: at(first - 3, 1), to: at(first, 0) };
    }
  }
}
