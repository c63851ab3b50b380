import { expect, test } from "vitest";
import { menuMove } from "./menu-move";

const names = ["Light", "Dark", "System", "Sign out"];

test("arrows go round in both directions", () => {
  expect(menuMove("ArrowDown", 0, names)).toBe(1);
  expect(menuMove("ArrowDown", 3, names)).toBe(0);
  expect(menuMove("ArrowUp", 0, names)).toBe(3);
});

test("with no item focused, arrows start at the near end", () => {
  expect(menuMove("ArrowDown", -1, names)).toBe(0);
  expect(menuMove("ArrowUp", -1, names)).toBe(3);
});

test("Home and End go to the ends", () => {
  expect(menuMove("Home", 2, names)).toBe(0);
  expect(menuMove("End", 0, names)).toBe(3);
});

test("a letter goes to the next item that begins with it, and round", () => {
  expect(menuMove("s", 0, names)).toBe(2);
  expect(menuMove("S", 2, names)).toBe(3);
  expect(menuMove("s", 3, names)).toBe(2);
});

test("other keys are left to the browser", () => {
  expect(menuMove("Enter", 0, names)).toBeNull();
  expect(menuMove(" ", 0, names)).toBeNull();
  expect(menuMove("x", 0, names)).toBeNull();
  expect(menuMove("ArrowDown", -1, [])).toBeNull();
});
