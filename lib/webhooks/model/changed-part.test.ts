import fc from "fast-check";
import { expect, it } from "vitest";
import { changedParts } from "./changed-part";

it("finds the middle that differs", () => {
  expect(changedParts("https://a.example/v2/pix", "https://a.example/v3/pix")).toEqual([
    { start: "https://a.example/v", changed: "2", end: "/pix" },
    { start: "https://a.example/v", changed: "3", end: "/pix" },
  ]);
});

it("does not count a repeated character twice", () => {
  expect(changedParts("aa", "aaa")[1]).toEqual({ start: "aa", changed: "a", end: "" });
});

it("loses nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
      const whole = changedParts(before, after).map(
        ({ start, changed, end }) => start + changed + end,
      );
      expect(whole).toEqual([before, after]);
    }),
  );
});
