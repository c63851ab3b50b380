import { expect, it } from "vitest";
import { daysOf, periods } from "./periods";

it.each([
  ["2026-11-29", "2026-11-23/2026-11-29", "2026-11-01/2026-11-29", "2026-07-01/2026-09-30"],
  // Over the ends of a month, a leap February and a year.
  ["2024-03-01", "2024-02-24/2024-03-01", "2024-03-01/2024-03-01", "2023-10-01/2023-12-31"],
  ["2026-01-01", "2025-12-26/2026-01-01", "2026-01-01/2026-01-01", "2025-10-01/2025-12-31"],
])("on %s, the periods are %s, %s and %s", (today, ...expected) => {
  const found = periods.map((period) => Object.values(daysOf(period, today)).join("/"));
  expect(found).toEqual(expected);
});
