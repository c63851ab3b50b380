import { expect, it } from "vitest";
import { retryAfterSeconds } from "@/lib/platform/payment-service/answers/judgement";

const date = "Fri, 30 Jan 2026 12:00:00 GMT";
const nothing = ["", "-1", "1.5", "2026-01-30", "Fri, 99 Jan 2026 99:00:00 GMT", undefined];

it.each<[header: string | undefined, serviceClock: string | undefined, number | undefined]>([
  ["0", date, 0],
  ["7", date, 7],
  [" 120 ", date, 120],
  ["99999999999999999999", date, 3_600],
  ["Fri, 30 Jan 2026 12:00:30 GMT", date, 30],
  // In the past: now.
  ["Fri, 30 Jan 2026 11:00:00 GMT", date, 0],
  ["Sat, 30 Jan 2027 12:00:00 GMT", date, 3_600],
  // Whatever our own clock says.
  ["Mon, 01 Jan 2001 00:00:05 GMT", "Mon, 01 Jan 2001 00:00:00 GMT", 5],
  [date, undefined, undefined],
  ...nothing.map((text): [typeof text, string, undefined] => [text, date, undefined]),
])("Retry-After %j by a clock of %j means %s s", (text, serviceClock, seconds) => {
  expect(retryAfterSeconds(text, serviceClock)).toBe(seconds);
});
