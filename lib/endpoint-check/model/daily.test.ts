import { always } from "@/lib/platform/runtime/testing/thorough";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verdicts, type Verdict } from "./check";
import { newsOf, nextDaily, type Alerted } from "./daily";

const minute = 60_000;
const day = 24 * 60 * minute;

/** The mails about checks that follow each other, a day or ten minutes apart as the rules have it. */
function mailsOf(checks: readonly { verdict: Verdict; daysLeft: number | null }[]) {
  let alerted: Alerted = { condition: null, days: null };
  let previous: { verdict: Verdict; agoMs: number } | null = null;
  return checks.map((check) => {
    const news = newsOf(alerted, { ...check, previous });
    alerted = news.alerted;
    previous = { verdict: check.verdict, agoMs: news.isUnconfirmed ? 10 * minute : day };
    return [news.verdict, news.days] as const;
  });
}

const verdictsMailedOf = (found: readonly Verdict[]) =>
  mailsOf(found.map((verdict) => ({ verdict, daysLeft: 71 }))).map(([verdict]) => verdict);
const daysMailedOf = (left: readonly (number | null)[]) =>
  mailsOf(left.map((daysLeft) => ({ verdict: "accepts_only_with", daysLeft }))).map(
    ([, days]) => days,
  );

describe("a verdict", () => {
  it("is mailed first, and then when two checks in a row found another condition", () => {
    expect(verdictsMailedOf(["accepts_only_with", "accepts_only_with"])).toEqual(["first", null]);
    expect(verdictsMailedOf(["accepts_only_with", "no_answer", "accepts_only_with"])).toEqual([
      "first",
      null,
      null,
    ]);
    expect(
      verdictsMailedOf(["accepts_only_with", "no_answer", "unreachable", "answers_error"]),
    ).toEqual(["first", null, "changed", null]);
    expect(verdictsMailedOf(["unreachable", "accepts_only_with", "accepts_only_with"])).toEqual([
      "first",
      null,
      "changed",
    ]);
    expect(verdictsMailedOf(["no_answer", "accepts_without", "accepts_without"])).toEqual([
      "first",
      null,
      "changed",
    ]);
  });

  it("is mailed once until the condition changes, whatever follows", () => {
    always(1_000, fc.array(fc.constantFrom(...verdicts), { maxLength: 30 }), (found) => {
      const mailed = verdictsMailedOf(found).filter((news) => news !== null);
      const changes = found.filter((verdict, at) => verdict !== found[at - 1]).length;
      expect(mailed.length).toBeLessThanOrEqual(changes);
      expect(mailed.slice(1)).not.toContain("first");
    });
  });
});

describe("the end of a certificate", () => {
  it("is mailed 21, 7 and 1 days before, once each", () => {
    const left = Array.from({ length: 30 }, (_, passed) => 28 - passed);
    const mailed = daysMailedOf(left).filter((days) => days !== null);
    expect(mailed).toEqual([21, 7, 1]);
  });

  it("is mailed again for the next certificate, and for the nearest day where checks were skipped", () => {
    expect(daysMailedOf([20, 6, 90, 20])).toEqual([21, 7, null, 21]);
    expect(daysMailedOf([60, 5, 4, 0, -1])).toEqual([null, 7, null, 1, null]);
    // Renewed for a short time: its end is mailed again.
    expect(daysMailedOf([6, 15, 6])).toEqual([7, null, 7]);
  });

  it("is not mailed again while no certificate is seen", () => {
    expect(daysMailedOf([20, null, 20])).toEqual([21, null, null]);
  });
});

it("comes at the same time each day, spread over all of them", () => {
  always(
    1_000,
    fc.integer({ min: 0, max: 4e12 }),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    (now, share) => {
      const next = nextDaily(now, share);
      expect(next - now).toBeGreaterThanOrEqual(day / 2);
      expect(next - now).toBeLessThanOrEqual(1.5 * day);
      expect(next % day).toBe(Math.floor(share * day));
      expect(nextDaily(next + 5 * minute, share)).toBe(next + day);
    },
  );
});
