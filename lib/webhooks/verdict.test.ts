import fc from "fast-check";
import { expect, it } from "vitest";
import { outcomeOf, verdictOf, type TypeOutcome } from "./verdict";
import { sameState, type State } from "./state";

const state: fc.Arbitrary<State> = fc.option(
  fc.record({
    callbackUrl: fc.constantFrom("https://a.example/", "https://b.example/", "https://c.example/"),
    fingerprint: fc.constantFrom(null, "f1", "f2"),
  }),
);
const verdict = fc.constantFrom<TypeOutcome>(
  "created",
  "overwritten",
  "unchanged",
  "not_saved",
  "unknown",
);

it("says that something was saved only when the service holds it", () => {
  fc.assert(
    fc.property(state, state, fc.option(state, { nil: undefined }), (before, wish, now) => {
      const said = verdictOf(before, wish, now);
      if (said === "created" || said === "overwritten")
        expect(now !== undefined && sameState(now, wish)).toBe(true);
      if (said === "not_saved") expect(now !== undefined && sameState(now, before)).toBe(true);
      if (said === "created") expect(before).toBeNull();
      if (now === undefined && !sameState(before, wish)) expect(said).toBe("unknown");
    }),
  );
});

it("calls the whole saved only when every asked type is, and never hides an unknown one", () => {
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1, maxLength: 2 }), (verdicts) => {
      const whole = outcomeOf(verdicts);
      if (whole === "saved")
        expect(verdicts.some((v) => v === "not_saved" || v === "unknown")).toBe(false);
      if (verdicts.includes("unknown")) expect(whole).toBe("unknown");
      if (whole === "not_saved")
        expect(verdicts.some((v) => v === "created" || v === "overwritten")).toBe(false);
    }),
  );
});

it("calls one saved and one not saved type partial", () => {
  expect(outcomeOf(["created", "not_saved"])).toBe("partial");
  expect(outcomeOf(["unchanged", "not_saved"])).toBe("not_saved");
  expect(outcomeOf(["unchanged", "overwritten"])).toBe("saved");
});
