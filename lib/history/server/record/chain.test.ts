import { always } from "@/lib/platform/runtime/testing/thorough";
import type { HistoryRow } from "@/lib/platform/database/tables";
import fc from "fast-check";
import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { ChainEnd } from "@/lib/history/server/verify/anchor-file";
import { canonicalRow, walkChain, type ChainFault, type Mac } from "./chain";

/** Caches what it has made: thousands of tampered copies share most of their entries. */
function macOf(key: string): Mac {
  const made = new Map<string, string>();
  return (text) => {
    const known = made.get(text) ?? createHmac("sha256", key).update(text).digest("hex");
    made.set(text, known);
    return known;
  };
}
const mac = macOf("this partner's key");

const length = 24;

/** A chain as `recordHistory` writes it. */
function recorded(partner: string, key: Mac): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const row = {
      partner_id: partner,
      seq,
      id: `${partner}-${seq}`,
      environment: seq % 5 ? "sandbox" : null,
      at: 1_700_000_000_000 + seq * 1_000,
      kind: seq % 3 ? "save" : "save_attempt",
      types: seq % 2 ? "pix_in" : "pix_in,pix_out",
      actor_id: seq % 7 ? `user-${seq % 4}` : null,
      subject_id: seq % 6 ? null : `user-${seq % 5}`,
      client_address: "192.0.2.1",
      request_id: `r${seq}`,
      outcome: seq % 3 ? "saved" : null,
      detail_json: JSON.stringify({ saveId: String(seq) }),
    };
    rows.push({ ...row, mac: key(canonicalRow(row, rows.at(-1)?.mac ?? "")) });
  }
  return rows;
}

const rows = recorded("aurora", mac);
const others = recorded("mercado", macOf("the other partner's key"));
const end = endOf(rows);

function endOf(some: readonly HistoryRow[]): ChainEnd {
  const last = some.at(-1);
  return { seq: last?.seq ?? 0, mac: last?.mac ?? "" };
}

/** The rows in the database, and the lines in the anchor file. */
type State = { rows: readonly HistoryRow[]; head: ChainEnd | null; anchors?: readonly ChainEnd[] };

function verify({ rows, head, anchors = [] }: State): ChainFault | null {
  const walk = walkChain(mac, anchors);
  return walk.add([...rows].sort((a, b) => a.seq - b.seq)) ?? walk.end(head);
}

/** The rows with their contents, but not their positions, in another order: index → index. */
const rearranged = (order: (index: number) => number): HistoryRow[] =>
  rows.map((row, index) => ({ ...(rows[order(index)] ?? row), seq: row.seq }));

describe("an untouched chain", () => {
  it("verifies, with and without anchors, at any length", () => {
    for (let n = 0; n <= length; n += 1) {
      const some = rows.slice(0, n);
      const head = n === 0 ? null : endOf(some);
      expect(verify({ rows: some, head })).toBeNull();
      expect(verify({ rows: some, head, anchors: head ? [head] : [] })).toBeNull();
    }
  });

  it("verifies when the anchor is behind it, as after a crash between the commit and the anchor", () => {
    expect(verify({ rows, head: end, anchors: [endOf(rows.slice(0, 7))] })).toBeNull();
  });
});

const at = (index: number) => rows[index] ?? { ...end, seq: 0 };

it.each<[string, State, ChainFault]>([
  [
    "an edited column",
    { rows: rows.with(9, { ...(at(9) as HistoryRow), actor_id: "X" }), head: end },
    { seq: 10, reason: "edited" },
  ],
  ["a deleted entry", { rows: rows.toSpliced(9, 1), head: end }, { seq: 10, reason: "missing" }],
  [
    "two exchanged neighbours",
    { rows: rearranged((i) => ({ 9: 10, 10: 9 })[i] ?? i), head: end },
    { seq: 10, reason: "moved" },
  ],
  [
    "an entry before the first one",
    { rows: [{ ...(at(3) as HistoryRow), seq: 0 }, ...rows], head: end },
    { seq: 0, reason: "extra" },
  ],
  ["a cut tail", { rows: rows.slice(0, 20), head: end }, { seq: 21, reason: "cut" }],
  [
    "a cut tail whose head was rewritten, by the anchor",
    { rows: rows.slice(0, 20), head: endOf(rows.slice(0, 20)), anchors: [end] },
    { seq: 21, reason: "cut" },
  ],
  [
    "a history that vanished whole, by the anchor",
    { rows: [], head: null, anchors: [end] },
    { seq: 1, reason: "cut" },
  ],
  ["a head that is gone", { rows, head: null }, { seq: length, reason: "head_missing" }],
  [
    "a head that was set back",
    { rows, head: endOf(rows.slice(0, 20)) },
    { seq: length, reason: "head_wrong" },
  ],
  [
    "a chain written anew by a holder of the keys, by the anchor",
    { rows, head: end, anchors: [{ seq: 12, mac: "another" }] },
    { seq: 12, reason: "not_anchored" },
  ],
])("names the first bad entry and why: %s", (_, state, fault) => {
  expect(verify(state)).toEqual(fault);
});

const index = fc.nat(length - 1);
const columns = (Object.keys(end.seq ? (rows[0] ?? {}) : {}) as (keyof HistoryRow)[])
  // Not sealed, since it is erased with its person.
  .filter((column) => column !== "client_address");
const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constantFrom(null, "", "0", "null", "saved", "pix_out", "Marina Castro", "user-1", "{}"),
  fc.tuple(index, fc.constantFrom(...columns)).map(([i, column]) => rows[i]?.[column] ?? null),
);
const head = fc.record({ seq: fc.integer({ min: 0, max: length + 3 }), mac: fc.string() });

/** What somebody with the database, but without the keys and the anchor file, could do to it. */
const tampering = fc.oneof(
  fc
    .tuple(index, fc.constantFrom(...columns), value)
    .map(([i, column, to]): [string, State] => [
      `edit ${column}`,
      { rows: rows.map((row, at) => (at === i ? { ...row, [column]: to } : row)), head: end },
    ]),
  fc
    .tuple(index, fc.integer({ min: 1, max: length }))
    .map(([i, n]): [string, State] => ["delete", { rows: rows.toSpliced(i, n), head: end }]),
  fc
    .tuple(index, index)
    .map(([i, j]): [string, State] => [
      "swap",
      { rows: rearranged((at) => (at === i ? j : at === j ? i : at)), head: end },
    ]),
  fc
    .shuffledSubarray([...rows.keys()], { minLength: length })
    .map((order): [string, State] => [
      "reorder",
      { rows: rearranged((at) => order[at] ?? at), head: end },
    ]),
  fc.tuple(index, fc.constantFrom("left", "gone", "rewritten")).map(([n, how]): [string, State] => {
    const kept = rows.slice(0, n);
    const after = { left: end, gone: null, rewritten: n === 0 ? null : endOf(kept) };
    return [
      `cut, head ${how}`,
      { rows: kept, head: after[how as keyof typeof after], anchors: [end] },
    ];
  }),
  index.map((i): [string, State] => {
    const kept = rows.toSpliced(i, 1).map((row, at) => ({ ...row, seq: at + 1 }));
    return ["delete and renumber", { rows: kept, head: endOf(kept), anchors: [end] }];
  }),
  fc.tuple(index, fc.boolean()).map(([i, close]): [string, State] => {
    const more = [...rows, { ...(rows[i] ?? end), seq: length + 1 } as HistoryRow];
    return ["replay", { rows: more, head: close ? endOf(more) : end }];
  }),
  index.map((i): [string, State] => [
    "plant another partner's entry",
    { rows: rows.with(i, { ...(others[i] as HistoryRow), partner_id: "aurora" }), head: end },
  ]),
  fc.option(head, { nil: null }).map((to): [string, State] => ["head", { rows, head: to }]),
);

it("detects random tamperings: edit, delete, swap, reorder, cut, renumber, replay, plant, head", () => {
  const seen = new Set<string>();
  always(12_000, tampering, ([name, state]) => {
    fc.pre(!isDeepStrictEqual([state.rows, state.head], [rows, end]));
    seen.add(name);
    expect(verify(state), name).not.toBeNull();
  });
  expect(seen.size).toBe(columns.length + 10);
});
