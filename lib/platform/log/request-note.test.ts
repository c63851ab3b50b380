import { expect, it } from "vitest";
import { loggedPath } from "./request-note";

it("logs no token of a receiving address, and no path without end (threat: sending with what a log says)", () => {
  expect(loggedPath("/in/secret-token")).toBe("/in/…");
  expect(loggedPath("//in//secret/token")).toBe("//in//…");
  expect(loggedPath("/invitation")).toBe("/invitation");
  expect(loggedPath(`/${"a".repeat(500)}`)).toHaveLength(120);
});
