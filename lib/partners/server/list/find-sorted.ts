import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { PartnerSort } from "@/lib/partners/model/filter";
import { sql, type RawBuilder } from "kysely";
import type { Narrowing } from "./find-page";
import { partnersWithOverview } from "./read-lines";
import { termOf } from "./search-words";

type Sorted = { sort: PartnerSort; environment: string; baseUrl: string };

/**
 * The ids of at most `limit` partners in another order than their ids'. No index has this order: it reads all partners
 * that the search leaves. The end of the page before is found again by its last partner, wherever that is by now, so
 * that a cursor need only be its id.
 */
export async function findSorted(
  db: Executor,
  { words, flag, unacknowledged, among, after }: Narrowing,
  { sort, environment, baseUrl }: Sorted,
  limit: number,
): Promise<string[]> {
  const terms = [...new Set([...words.map(termOf), ...(flag === null ? [] : [flag])])];
  const cut = words.filter((word) => termOf(word) !== word);
  const all = partnersWithOverview(db, { environment, baseUrl })
    .leftJoin("partner_words as whole", "whole.partner_id", "partners.id")
    .select(["partners.id as id", keys[sort].as("key")]);
  const [last] =
    after === null ? [] : await all.where("partners.id", "=", after).limit(1).execute();
  const rows = await all
    .$if(among !== null, (query) =>
      query.where("partners.id", "in", among && among.length > 0 ? among : [""]),
    )
    .$if(unacknowledged !== null, (query) => query.where("turn.outside_at", "is not", null))
    .where(({ and, exists, selectFrom, eb }) =>
      and([
        ...terms.map((term) =>
          exists(
            selectFrom("partner_terms")
              .select("partner_terms.term")
              .where("partner_terms.term", "=", term)
              .whereRef("partner_terms.partner_id", "=", "partners.id"),
          ),
        ),
        // Words are letters and digits, so they contain no wildcards.
        ...cut.map((word) => eb("whole.words", "like", `% ${word}%`)),
      ]),
    )
    .$if(last !== undefined, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb(keys[sort], ">", last?.key ?? ""),
          and([eb(keys[sort], "=", last?.key ?? ""), eb("partners.id", ">", last?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("key")
    .orderBy("partners.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Names without accents or case, as in the index; the worst state; the oldest confirmation. Never null. */
const keys: Record<PartnerSort, RawBuilder<string | number>> = {
  name: sql`coalesce(whole.words, partners.name)`,
  status: sql`case
    when overview.fault_code is not null then 0
    when turn.outside_at is not null then 1
    when connections.id is null then 2
    when confirmed.confirmed_at is null then 3
    when overview.pix_in_host is null or overview.pix_out_host is null then 4
    when overview.without_authorization <> '' then 5
    else 6 end`,
  age: sql`coalesce(confirmed.confirmed_at, 0)`,
};
