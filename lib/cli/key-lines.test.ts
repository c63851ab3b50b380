import { expect, it } from "vitest";
import { keyLines } from "./key-lines";

it("tells each key that is needed, that may go and that must not go yet apart", () => {
  const lines = keyLines({
    keys: [
      { id: "k4", partners: 1_200, state: "active", configured: true },
      { id: "k3", partners: 1, state: "in_use", configured: false },
      { id: "k2", partners: 0, state: "in_use", configured: true },
      { id: "k1", partners: 0, state: "retired", configured: true },
      { id: "k5", partners: 0, state: "stands_by", configured: true },
    ],
    closed: ["aurora"],
  });
  expect(lines).toEqual([
    "k4: active, seals the secrets of 1,200 partners.",
    "k3 (not in ENCRYPTION_KEYS): still needed by 1 partner.",
    expect.stringMatching(/^k2: needed by nobody now, but .* run rotate-keys before it is removed/),
    expect.stringMatching(/^k1: needed by nobody, may be removed from ENCRYPTION_KEYS/),
    "k5: needed by nobody, stands by.",
    expect.stringMatching(/^The secrets of 1 partner do not open, .*: aurora\.$/),
  ]);
});
