import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import { people } from "@/lib/platform/secrets/people";
import { sql } from "kysely";
import { createHash } from "node:crypto";
import {
  asNotedToday,
  canonicalRows,
  guarded,
  mustBeFound,
  readRows,
  tablesOf,
  type Digest,
  type GuardedRow,
  type GuardedTable,
  type Note,
  type OwnedRow,
} from "./guarded";
import { notesByOwner, notesIn } from "./note";

/** Rows of one owner that differ from the history's last note. */
export type Difference = {
  table: GuardedTable;
  owner: string;
  /** null: the history knows of no such row. */
  noted: readonly GuardedRow[] | null;
  found: readonly GuardedRow[];
};

/** The rows that the history of one chain expects, gathered entry by entry. */
export class NotedState {
  readonly #rows = new Map<GuardedTable, Map<string, readonly GuardedRow[]>>();
  readonly #digest: Digest | null;
  readonly isMine: (owner: string) => boolean;
  /** `isMine`: for which owners it keeps the notes, so that a long chain can be processed in parts. */
  constructor(digest: Digest | null, isMine: (owner: string) => boolean = () => true) {
    this.#digest = digest;
    this.isMine = isMine;
  }

  /** Takes the chain's next entry. Returns whether it noted anything. */
  add(row: Pick<HistoryRow, "detail_json">): boolean {
    const notes = notesIn(row);
    for (const note of notes) this.#take(asNotedToday(note, this.#digest));
    return notes.length > 0;
  }

  #take({ table, owner, rows }: Note): void {
    if (!isGuarded(table)) return;
    const noted = this.#rows.get(table) ?? new Map<string, readonly GuardedRow[]>();
    this.#rows.set(table, noted);
    if (owner === null) noted.clear();
    else if (this.isMine(owner)) noted.set(owner, rows);
  }

  /** The differences between these rows, all of an owner's, and their notes. */
  *differences(table: GuardedTable, found: readonly OwnedRow[]): Generator<Difference> {
    const noted = this.#rows.get(table);
    for (const { owner, rows } of notesByOwner(table, found)) {
      if (owner === null || !this.isMine(owner)) continue;
      const all = noted?.get(owner) ?? null;
      const known = all && mustBeFound(table, all, rows);
      if (known === null || canonicalRows(known) !== canonicalRows(rows))
        yield { table, owner, noted: known, found: rows };
    }
  }

  /** Noted rows of owners that are not among these. */
  *missing(table: GuardedTable, seen: ReadonlySet<string>): Generator<Difference> {
    for (const [owner, rows] of this.#rows.get(table) ?? []) {
      if (seen.has(owner)) continue;
      const noted = mustBeFound(table, rows, []);
      if (noted.length > 0) yield { table, owner, noted, found: [] };
    }
  }
}

function isGuarded(table: string): table is GuardedTable {
  return Object.hasOwn(guarded, table);
}

/** The maximum to report for one chain; one more means that there are more. */
export const maxDifferences = 50;

/** Entries, and owners of rows, that are read at once. */
const batchSize = 500;
/** Owners whose notes are kept at once; more of them are processed in parts. */
const maxOwnersPerPart = 25_000;
/** How often it starts again because Gancho changed rows meanwhile. */
const attempts = 20;

/**
 * Compares the guarded rows of one chain with its entries' notes; reports at most `maxDifferences` and one. Memory does
 * not grow with the length of the chain, nor beyond some number of rows. A concurrent change by Gancho does not count.
 */
export async function reconcileChain(
  executor: Executor,
  chain: string,
  digest: Digest | null,
  ownersPerPart = maxOwnersPerPart,
): Promise<Difference[]> {
  const parts = Math.max(1, Math.ceil((await countOwners(executor, chain)) / ownersPerPart));
  const differences: Difference[] = [];
  for (let part = 0; part < parts && differences.length <= maxDifferences; part += 1) {
    const isMine = (owner: string) => parts === 1 || partOf(owner, parts) === part;
    differences.push(...(await reconcilePart(executor, chain, digest, isMine)));
  }
  return differences.slice(0, maxDifferences + 1);
}

function partOf(owner: string, parts: number): number {
  return createHash("sha256").update(owner).digest().readUInt32BE() % parts;
}

async function reconcilePart(
  executor: Executor,
  chain: string,
  digest: Digest | null,
  isMine: (owner: string) => boolean,
): Promise<Difference[]> {
  const state = new NotedState(digest, isMine);
  let read = await readNotes(executor, chain, state, 0);
  for (let attempt = 1; ; attempt += 1) {
    const differences = await compare(executor, chain, digest, state);
    if (differences.length === 0) return differences;
    // Whether an entry that came meanwhile explains it.
    const more = await readNotes(executor, chain, state, read.seq);
    if (!more.noted || attempt === attempts) return differences;
    read = more;
  }
}

async function readNotes(
  executor: Executor,
  chain: string,
  state: NotedState,
  after: number,
): Promise<{ seq: number; noted: boolean }> {
  const read = { seq: after, noted: false };
  for (;;) {
    const rows = await executor
      .selectFrom("history")
      .select(["seq", "detail_json"])
      .where("partner_id", "=", chain)
      .where("seq", ">", read.seq)
      .orderBy("seq")
      .limit(batchSize)
      .execute();
    for (const row of rows) read.noted = state.add(row) || read.noted;
    read.seq = rows.at(-1)?.seq ?? read.seq;
    if (rows.length < batchSize) return read;
  }
}

async function compare(
  executor: Executor,
  chain: string,
  digest: Digest | null,
  state: NotedState,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const add = (more: Iterable<Difference>) => {
    for (const one of more) if (differences.length <= maxDifferences) differences.push(one);
  };
  for (const table of tablesOf(chain === people ? "people" : "partner")) {
    const seen = new Set<string>();
    for await (const owners of ownersOf(executor, chain, table)) {
      const found = await readRows(executor, table, { partners: [chain], owners }, () => digest);
      for (const { owner } of found) if (state.isMine(owner)) seen.add(owner);
      add(state.differences(table, found));
    }
    add(state.missing(table, seen));
  }
  return differences;
}

async function* ownersOf(
  executor: Executor,
  chain: string,
  table: GuardedTable,
): AsyncGenerator<string[]> {
  const { chain: of, owner } = guarded[table];
  const column = sql.ref(owner);
  for (let after = ""; ;) {
    const { rows } = await sql<{ owner: string }>`
      select distinct ${column} as owner from ${sql.table(table)}
      where ${column} > ${after}
      ${of === "people" ? sql`` : sql`and ${sql.ref(of.column)} = ${chain}`}
      order by ${column} limit ${batchSize}`.execute(executor);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.owner);
    after = last.owner;
  }
}

async function countOwners(executor: Executor, chain: string): Promise<number> {
  const counted =
    chain === people
      ? sql<{ n: number }>`select count(*) as n from users`
      : sql<{ n: number }>`select
          (select count(*) from memberships where partner_id = ${chain}) +
          (select count(*) from invitations where partner_id = ${chain}) as n`;
  return Number((await counted.execute(executor)).rows[0]?.n ?? 0);
}

/** The same for many partners whose chains were just read: one query for each table. Returns those that differ. */
export async function differingPartners(
  executor: Executor,
  states: ReadonlyMap<string, NotedState>,
  digestOf: (chain: string) => Digest | null,
): Promise<Set<string>> {
  const differing = new Set<string>();
  for (const table of tablesOf("partner")) {
    const byChain = new Map<string, OwnedRow[]>();
    for (const row of await readRows(executor, table, { partners: [...states.keys()] }, digestOf))
      rowsIn(byChain, row.chain).push(row);
    for (const [chain, state] of states) {
      const found = byChain.get(chain) ?? [];
      const seen = new Set(found.map(({ owner }) => owner));
      const [first] = [...state.differences(table, found), ...state.missing(table, seen)];
      if (first) differing.add(chain);
    }
  }
  return differing;
}

function rowsIn(byChain: Map<string, OwnedRow[]>, chain: string): OwnedRow[] {
  const rows = byChain.get(chain) ?? [];
  byChain.set(chain, rows);
  return rows;
}
