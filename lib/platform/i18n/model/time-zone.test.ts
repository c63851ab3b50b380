import { expect, test } from "vitest";
import { knownTimeZone } from "./time-zone";

test("a zone that the runtime knows is used", () => {
  expect(knownTimeZone("America/Sao_Paulo")).toBe("America/Sao_Paulo");
});

test("anything else is UTC: a forged cookie must not break a page", () => {
  for (const zone of [
    undefined,
    "",
    "Mars/Olympus",
    "America/Sao_Paulo\r\n",
    "<script>",
    "A".repeat(5_000),
  ]) {
    expect(knownTimeZone(zone)).toBe("UTC");
  }
});
