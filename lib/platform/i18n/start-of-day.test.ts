import { expect, it } from "vitest";
import { startOfDay } from "./start-of-day";

it.each([
  ["2026-11-20", "UTC", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20", "America/Sao_Paulo", "2026-11-20T03:00:00.000Z"],
  ["2026-11-20", "Asia/Kolkata", "2026-11-19T18:30:00.000Z"],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  // The clocks of this day went from 23:59:59 to 01:00:00.
  ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
])("%s begins in %s at %s", (day, timeZone, moment) => {
  expect(new Date(startOfDay(day, timeZone)).toISOString()).toBe(moment);
});
