import "server-only";
import type { PartnerSort } from "@/lib/partners/model/partner-state";
import { isAmong } from "@/lib/platform/database/among";
import type { Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import {
  neverLooked,
  placesByState,
  withStatus,
  type Part,
  type ReachedService,
  type StoredStatus,
} from "./having-status";

export type Narrowing = {
  /** Each has to begin a word of the partner. */
  words: readonly string[];
  status: StoredStatus | undefined;
  /** Only these; null: all. */
  among: readonly string[] | null;
  /** Those that the reader may know; null: all. */
  known: readonly string[] | null;
  /** Without one: by id. */
  sort: PartnerSort | undefined;
  /** The page begins after this id, wherever that is now; null: at the beginning. */
  after: string | null;
};

/**
 * The ids of at most `limit` partners, in order. A search that finds little reads all partners
 * (docs/decisions/list-of-partners.md has the figures). In another order than by id, nothing comes after a partner that
 * the reader may not know: the order would tell of it.
 */
export async function findPage(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
  limit: number,
): Promise<string[]> {
  const { sort, after, known } = narrowing;
  if (sort === undefined) {
    const page = matching(db, service, narrowing)
      .$if(after !== null, (query) => query.where("partners.id", ">", after ?? ""))
      .orderBy("partners.id");
    return idsIn(await page.limit(limit).execute());
  }
  if (after !== null && known !== null && !known.includes(after)) return [];
  return orders[sort]({ db, service, narrowing, limit });
}

type Asked = { db: Executor; service: ReachedService; narrowing: Narrowing; limit: number };

const orders: Record<PartnerSort, (asked: Asked) => Promise<string[]>> = {
  name: byName,
  status: worstFirst,
  age: oldestFirst,
};

async function byName({ db, service, narrowing, limit }: Asked): Promise<string[]> {
  const { after } = narrowing;
  const last = db.selectFrom("partners as last").select("last.words").where("last.id", "=", after);
  const page = matching(db, service, narrowing)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("words", "partners.id"), ">", tuple(last, after ?? "")),
      ),
    )
    .orderBy("words")
    .orderBy("partners.id");
  return idsIn(await page.limit(limit).execute());
}

/** Place after place, until the page is full. */
async function worstFirst({ db, service, narrowing, limit }: Asked): Promise<string[]> {
  const { after } = narrowing;
  const wanted = await wantedIn(db, service, narrowing);
  let at = after === null ? 0 : await placeOf(db, service, after);
  let begin = after;
  // Between two queries a partner may move to a later place.
  const found = new Set<string>();
  while (found.size < limit) {
    const place = placesByState(db, service, { ...wanted, after: begin })[at];
    if (!place) break;
    const most = limit - found.size;
    const page = idsIn(await place.orderBy("id").limit(most).execute());
    for (const id of page) found.add(id);
    begin = page[most - 1] ?? null;
    if (begin === null) at += 1;
  }
  return [...found];
}

/** Behind all where there is no such partner. */
async function placeOf(db: Executor, service: ReachedService, id: string): Promise<number> {
  const places = placesByState(db, service, { id, isWanted: null });
  for (const [at, place] of places.entries()) if ((await place.execute()).length > 0) return at;
  return places.length;
}

/** Those of which no list is known first, and then by the time of the look. */
async function oldestFirst({ db, service, narrowing, limit }: Asked): Promise<string[]> {
  const { after } = narrowing;
  const wanted = await wantedIn(db, service, narrowing);
  const last =
    after === null
      ? undefined
      : await lookedAt(db, service, { few: [after], isWanted: null }).executeTakeFirst();
  const found = new Set<string>();
  if (!last) {
    const never = neverLooked(db, service, { ...wanted, after })
      .orderBy("id")
      .limit(limit);
    for (const id of idsIn(await never.execute())) found.add(id);
  }
  if (found.size === limit) return [...found];
  const { at, id } = last ?? { at: 0, id: "" };
  const others = lookedAt(db, service, wanted)
    // Where the index begins.
    .where("looked_at", ">=", at)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("looked_at", "partner_id"), ">", tuple(at, id)))
    .orderBy("looked_at")
    .orderBy("partner_id")
    .limit(limit);
  // Who was looked at between the two queries is in both.
  for (const each of idsIn(await others.execute())) found.add(each);
  return [...found].slice(0, limit);
}

/** The partners of whose present client a list is known, and when it came. */
function lookedAt(db: Executor, service: ReachedService, { few, isWanted }: Part) {
  const { environment, baseUrl } = service;
  // Few are found by their ids: the index of times would lead through all.
  const url = few ? sql`(confirmed.base_url || '')` : sql.ref("confirmed.base_url");
  return (
    db
      .selectFrom("confirmed_configurations as confirmed")
      .innerJoin("connections", "connections.id", "connection_id")
      .select(["partner_id as id", "looked_at as at"])
      .where("environment", "=", environment)
      .where(sql<SqlBool>`${url} = ${baseUrl}`)
      .$if(Boolean(few), (query) => query.where(isAmong("partner_id", few ?? [])))
      .$if(isWanted !== null, (query) =>
        query.where(isWanted?.("partner_id") ?? sql<SqlBool>`1 = 1`),
      )
      // Not a join, which SQLite would begin with, and then sort.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("partner_overviews as overview")
            .select("overview.partner_id")
            .whereRef("overview.partner_id", "=", "connections.partner_id")
            .whereRef("overview.environment", "=", "connections.environment")
            .whereRef("overview.base_url", "=", "confirmed.base_url")
            .where("overview.confirmed", "=", 1),
        ),
      )
  );
}

const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** Where no more partners match, their ids are found once and asked for in each place. */
const mostIds = 1_000;

async function wantedIn(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
): Promise<Pick<Part, "few" | "isWanted">> {
  const { words, status, among } = narrowing;
  const isNarrowed = words.length > 0 || status !== undefined;
  if (!isNarrowed && among === null) return { isWanted: null };
  const all = matching(db, service, narrowing);
  const few = isNarrowed ? idsIn(await all.limit(mostIds + 1).execute()) : (among ?? []);
  if (few.length <= mostIds) return { few, isWanted: null };
  return {
    isWanted: (column) => sql`exists ${all.whereRef("partners.id", "=", sql.ref(column))}`,
  };
}

function matching(db: Executor, service: ReachedService, { words, status, among }: Narrowing) {
  return db
    .selectFrom("partners")
    .select("partners.id")
    .$if(among !== null, (query) => query.where(isAmong("partners.id", among ?? [])))
    .$if(status !== undefined, (query) =>
      query.where("partners.id", "in", withStatus(db, status ?? "failing", service)),
    )
    .where(({ and }) => and(prefixes(words)));
}

/**
 * Each word in the name, the id, or a host of any environment. Words are letters and digits, so they contain no
 * wildcards. All hosts are read for the longest word, which as a rule fewest have; for the others those of the partners
 * that have it.
 */
function prefixes(words: readonly string[]): RawBuilder<SqlBool>[] {
  const [longest, ...others] = words.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return [];
  const seenWith = (word: string) => sql`from partner_overviews as seen
    where seen.words like ${`% ${word}%`}
      and seen.base_url in (${sql.join([...env().environments.values()])})`;
  const inNameOr = (word: string, inHost: RawBuilder<unknown>) =>
    sql<SqlBool>`(partners.words like ${`% ${word}%`} or ${inHost})`;
  return [
    inNameOr(longest, sql`partners.id in (select seen.partner_id ${seenWith(longest)})`),
    ...others.map((word) =>
      inNameOr(word, sql`exists (select 1 ${seenWith(word)} and seen.partner_id = partners.id)`),
    ),
  ];
}
