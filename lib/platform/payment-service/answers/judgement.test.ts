import { describe, expect, it } from "vitest";
import { retryAfterSeconds } from "@/lib/platform/payment-service/answers/judgement";

const date = "Fri, 30 Jan 2026 12:00:00 GMT";

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["7", 7],
    [" 120 ", 120],
    ["99999999999999999999", 3_600],
    ["Fri, 30 Jan 2026 12:00:30 GMT", 30],
    // In the past: now.
    ["Fri, 30 Jan 2026 11:00:00 GMT", 0],
    ["Sat, 30 Jan 2027 12:00:00 GMT", 3_600],
  ])("%j means %i s", (text, seconds) => {
    expect(retryAfterSeconds(text, date)).toBe(seconds);
  });

  it.each([undefined, "", "-1", "1.5", "2026-01-30", "Fri, 99 Jan 2026 99:00:00 GMT"])(
    "%j means nothing",
    (text) => {
      expect(retryAfterSeconds(text, date)).toBeUndefined();
    },
  );

  it("is measured against the service's own clock, whatever ours says", () => {
    const longAgo = "Mon, 01 Jan 2001 00:00:00 GMT";
    expect(retryAfterSeconds("Mon, 01 Jan 2001 00:00:05 GMT", longAgo)).toBe(5);
  });

  it("means nothing as a date where the service does not say what time it has", () => {
    expect(retryAfterSeconds(date, undefined)).toBeUndefined();
  });
});
