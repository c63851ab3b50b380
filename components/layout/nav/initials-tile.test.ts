import { expect, test } from "vitest";
import { initials } from "./initials-tile";

test("takes the first letters of the first and last word", () => {
  expect(initials("Marina Castro")).toBe("MC");
  expect(initials("  Ana  de Souza e Silva ")).toBe("AS");
  expect(initials("Élise")).toBe("É");
});

test("a letter outside the basic plane is not cut in half", () => {
  expect(initials("𝒜nna")).toBe("𝒜");
});

test("an empty name has no initials", () => {
  expect(initials("  ")).toBe("");
});
