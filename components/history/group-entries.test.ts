import type { CheckedItem } from "@/lib/history/model/item";
import { Check } from "lucide-react";
import { expect, it } from "vitest";
import { groupEntries } from "./group-entries";
import type { Description } from "./entry-words";

const change = {
  type: "pix_in",
  outcome: "saved",
  before: null,
  after: { callbackUrl: "https://a.example/", fingerprint: null },
} as const;

let seq = 0;
function item(other: Partial<CheckedItem> = {}): CheckedItem {
  seq += 1;
  return {
    seq,
    id: String(seq),
    at: "2026-11-20T18:40:12Z",
    environment: "sandbox",
    kind: "signed_in",
    types: [],
    actor: { id: "marina", name: "Marina" },
    clientAddress: "189.6.14.201",
    requestId: String(seq),
    outcome: "password",
    detail: null,
    intact: true,
    ...other,
  };
}

function group(entries: CheckedItem[], description: Partial<Description> = {}, timeZone = "UTC") {
  const describeItem = ({ kind }: CheckedItem) =>
    ({ tone: "neutral", icon: Check, sentence: kind, notes: [], ...description }) as const;
  return groupEntries(entries, describeItem, timeZone).map(({ day, runs }) => ({
    day,
    runs: runs.map(({ others }) => others.length + 1),
  }));
}

it("groups entries by the reader's days, in their order", () => {
  const entries = [
    item({ at: "2026-11-21T01:30:00Z" }),
    item({ at: "2026-11-20T23:00:00Z" }),
    item({ at: "2026-11-20T02:00:00Z" }),
  ];
  expect(group(entries)).toEqual([
    { day: "2026-11-21", runs: [1] },
    { day: "2026-11-20", runs: [1, 1] },
  ]);
  expect(group(entries, {}, "America/Sao_Paulo")).toEqual([
    { day: "2026-11-20", runs: [1, 1] },
    { day: "2026-11-19", runs: [1] },
  ]);
});

it("puts three or more entries of a day that say the same on one line", () => {
  const four = Array.from({ length: 4 }, () => item());
  expect(group(four)).toEqual([{ day: "2026-11-20", runs: [4] }]);
  expect(group(four.slice(2))).toEqual([{ day: "2026-11-20", runs: [1, 1] }]);
  const before = Array.from({ length: 3 }, () => item({ at: "2026-11-19T10:00:00Z" }));
  expect(group([...four, ...before]).map(({ runs }) => runs)).toEqual([[4], [3]]);
});

it("keeps entries apart that differ in person or IP address, or have another in between", () => {
  const other = { actor: { id: "rafael", name: "Rafael" } };
  const mixed = [item(), item(other), item(), item({ clientAddress: "10.0.0.1" }), item()];
  expect(group(mixed)).toEqual([{ day: "2026-11-20", runs: [1, 1, 1, 1, 1] }]);
});

it("never hides a change, an attempted change, a reveal or an altered entry (threat: an entry that nobody sees among many)", () => {
  const three = (other: Partial<CheckedItem> = {}) => Array.from({ length: 3 }, () => item(other));
  const alone = [{ day: "2026-11-20", runs: [1, 1, 1] }];
  expect(group(three(), { changes: [change] })).toEqual(alone);
  expect(group(three(), { requested: [change] })).toEqual(alone);
  expect(group(three({ kind: "authorization_reveal" }))).toEqual(alone);
  expect(group([item(), item({ intact: false }), item()])).toEqual(alone);
});

it("joins what is about one proposal, where nothing lies between", () => {
  const proposals = ["one", "one", "two", undefined, "two", "three", "three"];
  const entries = proposals.map((_, at) => item({ intact: at !== 5 }));
  const [first = item()] = entries;
  const describeItem = ({ seq }: CheckedItem) => {
    const proposal = proposals[seq - first.seq];
    const words = { tone: "neutral", icon: Check, sentence: String(seq), notes: [] } as const;
    return { ...words, ...(proposal && { proposal }) };
  };
  const goesOn = groupEntries(entries, describeItem, "UTC").flatMap(({ runs }) =>
    runs.map((run) => run.goesOn),
  );
  expect(goesOn).toEqual([true, false, false, false, false, false, false]);
});
