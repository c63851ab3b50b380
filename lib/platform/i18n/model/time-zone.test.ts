import { expect, test } from "vitest";
import { knownTimeZone } from "./time-zone";

test.each<[string | undefined, string]>([
  ["America/Sao_Paulo", "America/Sao_Paulo"],
  // A forged cookie must not break a page.
  ...[undefined, "", "Mars/Olympus", "America/Sao_Paulo\r\n", "<script>", "A".repeat(5_000)].map(
    (zone): [typeof zone, string] => [zone, "UTC"],
  ),
])("for %j, times are of %s", (zone, used) => {
  expect(knownTimeZone(zone)).toBe(used);
});
