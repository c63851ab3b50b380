import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import { opensDataKey } from "@/lib/platform/secrets/data-key";
import { keyring } from "@/lib/platform/secrets/keyring";
import { people } from "@/lib/platform/secrets/people";
import { sealingKeysIn } from "@/lib/platform/secrets/person-keys";
import { sql } from "kysely";
import * as z from "zod/mini";
import { historyDetail } from "@/lib/history/model/entry";
import type { FurtherCheck } from "./further-checks";

/** Entries, and keys, that are read at once. */
const batchSize = 500;

/**
 * Names and addresses are sealed under keys outside the chain. `erase-person` destroys keys, and records that in the
 * history of the people; any other missing key means that somebody hid who did something.
 */
export const checkPersonKeys: FurtherCheck = async function* (db, chains) {
  const judged = new Set<string>();
  let erased: ReadonlySet<string> = new Set();
  let after = { chain: "", seq: 0 };
  for (;;) {
    const rows = await sealedAfter(db, chains, after);
    const last = rows.at(-1);
    if (!last) return;
    const firstWith = new Map<string, (typeof rows)[number]>();
    for (const row of rows)
      for (const id of sealingKeysIn([row.actor_name ?? "", row.detail_json]))
        if (!judged.has(id) && !firstWith.has(id)) firstWith.set(id, row);
    const there = await openKeys(db, [...firstWith.keys()]);
    for (const [id, row] of firstWith) {
      judged.add(id);
      if (there.has(id)) continue;
      // After it was missed: a person who is erased meanwhile is in it.
      if (!erased.has(id)) erased = await erasedKeys(db);
      if (!erased.has(id))
        yield {
          chain: row.partner_id,
          what: `entry ${row.seq}, and others, do not say any more who it was: the key is gone or does not open, and nobody was erased`,
        };
    }
    after = { chain: last.partner_id, seq: Number(last.seq) };
  }
};

function sealedAfter(
  db: Executor,
  chains: readonly string[] | null,
  { chain, seq }: { chain: string; seq: number },
) {
  return db
    .selectFrom("history")
    .select(["partner_id", "seq", "actor_name", "detail_json"])
    .$if(chains !== null, (query) => query.where("partner_id", "in", chains ?? []))
    .where(sql<boolean>`(partner_id, seq) > (${chain}, ${seq})`)
    .orderBy("partner_id")
    .orderBy("seq")
    .limit(batchSize)
    .execute();
}

async function openKeys(db: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  for (let at = 0; at < ids.length; at += batchSize) {
    const rows = await db
      .selectFrom("data_keys")
      .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
      .where("id", "in", ids.slice(at, at + batchSize))
      .execute();
    for (const row of rows) if (opensDataKey(keyring(), row)) open.add(row.id);
  }
  return open;
}

/** Also those named by an entry that was removed since. */
async function erasedKeys(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("history")
    .select(["kind", "detail_json"])
    .where("partner_id", "=", people)
    .where(({ or, eb }) =>
      or([eb("kind", "=", "person_erased"), eb("kind", "=", "entries_removed")]),
    )
    .execute();
  return new Set(rows.flatMap(erasedIn));
}

/** The keys that an entry names as destroyed. */
export function erasedIn({
  kind,
  detail_json,
}: Pick<HistoryRow, "kind" | "detail_json">): readonly string[] {
  if (kind === "person_erased")
    return z.safeParse(historyDetail.person_erased, JSON.parse(detail_json)).data?.keys ?? [];
  if (kind !== "entries_removed") return [];
  return z.safeParse(historyDetail.entries_removed, JSON.parse(detail_json)).data?.erased ?? [];
}
