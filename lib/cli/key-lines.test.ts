import { expect, it } from "vitest";
import { keyLines } from "./key-lines";

it("distinguishes needed keys, removable ones and those that must stay for now", () => {
  const lines = keyLines({
    keys: [
      { id: "k4", partners: 1_200, people: false, standing: "active" },
      { id: "k3", partners: 1, people: false, standing: "missing" },
      { id: "k6", partners: 0, people: true, standing: "needed" },
      { id: "k2", partners: 0, people: false, standing: "unsure" },
      { id: "k1", partners: 0, people: false, standing: "removable" },
      { id: "k5", partners: 0, people: false, standing: "stands_by" },
    ],
    closed: ["aurora"],
  });
  expect(lines).toEqual([
    "k4: active, seals the secrets of 1,200 partners.",
    expect.stringMatching(
      /^k3 \(not in ENCRYPTION_KEYS\): still needed .* of 1 partner; put it back/,
    ),
    expect.stringMatching(
      /^k6: still needed .* and of the people of this installation; rotate-keys/,
    ),
    expect.stringMatching(/^k2: needed by nobody now, but .* run rotate-keys before it is removed/),
    expect.stringMatching(/^k1: needed by nobody, may be removed from ENCRYPTION_KEYS/),
    "k5: needed by nobody, stands by.",
    expect.stringMatching(/^The secrets of 1 partner do not open, .*: aurora\.$/),
  ]);
});
