import "server-only";
import { db } from "@/lib/platform/database/open";
import type { FoundRow } from "@/lib/history/server/read/find";
import type { HistoryRow } from "@/lib/platform/database/tables";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import { historyDetail } from "@/lib/history/model/entry";
import type { ChainEnd } from "@/lib/history/server/verify/anchor-file";
import * as z from "zod/mini";

/**
 * The positions of those entries of one partner that are as recorded: unedited, and still following the same entry.
 * Does not check whether entries after them are missing; `verifyChain` does.
 */
export async function intactPositions(
  partnerId: string,
  rows: readonly FoundRow[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const mac = await partnerMacs(db(), partnerId, "history");
  const before = await macsBefore(partnerId, rows);
  return new Set(
    rows.flatMap((row) => {
      const macBefore = row.seq === 1 ? "" : before.get(row.seq - 1);
      const isIntact = macBefore !== undefined && mac(canonicalRow(row, macBefore)) === row.mac;
      return isIntact ? [row.seq] : [];
    }),
  );
}

async function macsBefore(partnerId: string, rows: readonly FoundRow[]) {
  const known = new Map(rows.map((row) => [row.seq, row.mac]));
  for (const { seq, mac_before } of rows) if (mac_before) known.set(seq - 1, mac_before);
  const unread = rows.filter(
    ({ seq, mac_before }) => seq > 1 && mac_before === undefined && !known.has(seq - 1),
  );
  if (unread.length > 0) {
    const others = await db()
      .selectFrom("history")
      .select(["seq", "mac"])
      .where("partner_id", "=", partnerId)
      .where(
        "seq",
        "in",
        unread.map(({ seq }) => seq - 1),
      )
      .execute();
    for (const other of others) known.set(other.seq, other.mac);
  }
  // The last removed entry. A forged seal here is harmless: the next entry's seal would not match it.
  if (rows.some(({ seq }) => seq > 1 && !known.has(seq - 1))) {
    const checkpoint = await db()
      .selectFrom("history_checkpoints")
      .select(["seq", "mac"])
      .where("partner_id", "=", partnerId)
      .executeTakeFirst();
    if (checkpoint) known.set(Number(checkpoint.seq), checkpoint.mac);
  }
  return known;
}

/** A chain's faults, as a catalogue; the words complete "Entry N …". */
export const chainFaults = {
  edited: "is not what was recorded",
  moved: "is genuine, but stands in the place of another entry",
  missing: "is missing, though later entries are there",
  extra: "stands where no entry was recorded",
  cut: "is missing, and everything after it",
  head_missing: "is the last one, but the database's record of the chain's end is gone",
  head_wrong: "is the last one, but the database's record of the chain's end says otherwise",
  not_anchored: "is not the one that was noted outside the database",
  removal_unrecorded:
    "and all before it are gone, and no entry of the history says that they were removed",
  no_key: "cannot be checked: its key is gone or does not open",
} as const;

export type ChainFault = { seq: number; reason: keyof typeof chainFaults };

/**
 * What the chain covers: the `mac` of the row before, then in a fixed order every column except `mac` and the client
 * address, which is erased with its person.
 */
export function canonicalRow(
  row: Omit<HistoryRow, "mac" | "client_address">,
  macBefore: string,
): string {
  return JSON.stringify([
    macBefore,
    row.partner_id,
    row.seq,
    row.id,
    row.environment,
    row.at,
    row.kind,
    row.types,
    row.actor_id,
    row.subject_id,
    row.request_id,
    row.outcome,
    row.detail_json,
  ]);
}

/**
 * What the first existing entry follows: nothing, or the last removed entry. The entry at `entrySeq` records the
 * removal.
 */
export type ChainStart = ChainEnd & { entrySeq: number };

export const fromFirstEntry: ChainStart = { seq: 0, mac: "", entrySeq: 0 };

/** Timestamps are ISO 8601: when the newest of the removed entries was made, and when they were removed. */
export type Removal = { removed: number; newest: string; at: string };

/** The removal of all entries up to `start`, if this entry records it; otherwise null. */
export function removalIn({ kind, at, detail_json }: HistoryRow, start: ChainEnd): Removal | null {
  if (kind !== "entries_removed") return null;
  const { data } = z.safeParse(historyDetail.entries_removed, JSON.parse(detail_json));
  if (data?.removed !== start.seq || data.seal !== start.mac) return null;
  const iso = (moment: number) => new Date(Number(moment)).toISOString();
  return { removed: data.removed, newest: iso(data.newest), at: iso(at) };
}

/** HMAC under the partner's history key. */
export type Mac = (text: string) => string;

/** Walks one partner's chain from its first entry on, or from the first that was not removed, in constant memory. */
export type ChainWalk = {
  /** How many entries were found right. */
  entries: () => number;
  /** The removal of the oldest entries, once the entry that records it was found. */
  removal: () => Removal | null;
  /** Checks the next entries in the order of `seq`; null while there is no fault. Not to be called after one. */
  add: (rows: readonly HistoryRow[]) => ChainFault | null;
  /** After the last entry: checks the chain's end against the database and the anchors. */
  end: (head: ChainEnd | null) => ChainFault | null;
};

export function walkChain(
  mac: Mac,
  anchors: readonly ChainEnd[],
  start: ChainStart = fromFirstEntry,
): ChainWalk {
  const noted = new Map<number, ChainEnd[]>();
  for (const anchor of anchors) noted.set(anchor.seq, [...(noted.get(anchor.seq) ?? []), anchor]);
  const furthest = anchors.reduce((most, { seq }) => Math.max(most, seq), 0);
  let last: ChainEnd = { seq: start.seq, mac: start.mac };
  let removal: Removal | null = null;
  const isOtherStart = noted.get(start.seq)?.some((anchor) => anchor.mac !== start.mac);
  const badStart: ChainFault | null = isOtherStart
    ? { seq: start.seq, reason: "not_anchored" }
    : null;

  function check(row: HistoryRow, near: readonly HistoryRow[]): ChainFault | null {
    const seq = last.seq + 1;
    if (badStart) return badStart;
    if (row.seq > seq) return { seq, reason: "missing" };
    if (row.seq < seq) return { seq: row.seq, reason: "extra" };
    if (mac(canonicalRow(row, last.mac)) !== row.mac)
      return { seq, reason: isFromNearby(mac, row, near) ? "moved" : "edited" };
    if (noted.get(seq)?.some((anchor) => anchor.mac !== row.mac))
      return { seq, reason: "not_anchored" };
    last = { seq, mac: row.mac };
    if (seq === start.entrySeq) removal = removalIn(row, start);
    return null;
  }

  return {
    entries: () => last.seq - start.seq,
    removal: () => removal,
    add: (rows) => {
      for (const row of rows) {
        const fault = check(row, rows);
        if (fault) return fault;
      }
      return null;
    },
    end: (head) => {
      if (badStart) return badStart;
      const known = Math.max(head?.seq ?? 0, furthest);
      if (known > last.seq) return { seq: last.seq + 1, reason: "cut" };
      if (start.seq > 0 && !removal) return { seq: start.seq, reason: "removal_unrecorded" };
      if (!head) return last.seq === 0 ? null : { seq: last.seq, reason: "head_missing" };
      return head.seq === last.seq && head.mac === last.mac
        ? null
        : { seq: last.seq, reason: "head_wrong" };
    },
  };
}

/** Whether an entry that is wrong here was recorded in another position: exchanged with a neighbour, not edited. */
function isFromNearby(mac: Mac, row: HistoryRow, near: readonly HistoryRow[]): boolean {
  return near.some((other) =>
    [other.seq, other.seq + 1].some(
      (seq) => mac(canonicalRow({ ...row, seq }, other.mac)) === row.mac,
    ),
  );
}
