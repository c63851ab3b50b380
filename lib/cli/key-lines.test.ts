import { expect, it } from "vitest";
import { keyLine } from "./key-lines";

it.each([
  ["active", 1_200, "k1: active, encrypts 1,200 data keys."],
  ["needed", 1, "k1: still needed for 1 data key; rotate-keys brings them under the active key."],
  ["missing", 2, "k1 (not in ENCRYPTION_KEYS): still needed for 2 data keys; put it back."],
  ["unused", 0, "k1: needed by no data key; backups from before may need it."],
] as const)("says of a key that is %s what to do", (standing, dataKeys, line) => {
  expect(keyLine({ id: "k1", dataKeys, standing })).toBe(line);
});
