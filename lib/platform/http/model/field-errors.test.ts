import { expect, it } from "vitest";
import { fieldErrors } from "./field-errors";

it("field errors keep the first problem of a path", () => {
  const issues = [
    { path: ["authorization", "value"], message: "masked" },
    { path: ["authorization", "value"], message: "too_long" },
  ];
  expect(fieldErrors(issues)).toEqual([
    { path: "authorization.value", code: "masked", message: "Is a mask, not a value" },
  ]);
});

it("field errors report an unknown key at its path", () => {
  const issues = [
    { code: "unrecognized_keys", path: ["a"], message: "unknown_field", keys: ["b", "c"] },
  ];
  expect(fieldErrors(issues).map(({ path }) => path)).toEqual(["a.b", "a.c"]);
});

it("field errors do not repeat a message that nobody wrote for a caller", () => {
  expect(fieldErrors([{ path: ["a"], message: "Invalid input: secret" }])[0]).toMatchObject({
    code: "not_offered",
  });
});
