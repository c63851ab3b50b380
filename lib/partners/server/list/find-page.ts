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
  type Bound,
  type Ids,
  type ReachedService,
  type StoredStatus,
} from "./having-status";

export type Narrowing = {
  /** Each has to begin a word of the partner. */
  words: readonly string[];
  status: StoredStatus | undefined;
  /** Only these; null: all. */
  among: readonly string[] | null;
  /** Without one: by id. */
  sort: PartnerSort | undefined;
  /** The page begins after this id, wherever that is now; null: at the beginning. */
  after: string | null;
};

/**
 * The ids of at most `limit` partners, in order. Reads partners until the page is full, and all of them for a search
 * that finds little (docs/decisions/list-of-partners.md has the figures). In another order than by id, nothing comes
 * after a partner that the reader may not know: the order would tell of it.
 */
export async function findPage(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
  limit: number,
): Promise<string[]> {
  const { sort, after, among } = narrowing;
  if (sort === undefined) {
    const page = matching(db, service, narrowing).orderBy("id").limit(limit);
    return idsIn(
      await page.$if(after !== null, (query) => query.where("id", ">", after ?? "")).execute(),
    );
  }
  if (after !== null && among !== null && !among.includes(after)) return [];
  return orders[sort](db, service, narrowing, limit);
}

const orders: Record<PartnerSort, typeof findPage> = {
  name: byName,
  status: worstFirst,
  age: oldestFirst,
};

async function byName(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
  limit: number,
): Promise<string[]> {
  const { after } = narrowing;
  const last = db.selectFrom("partners as last").select("last.words").where("last.id", "=", after);
  const page = matching(db, service, narrowing)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("words", "id"), ">", tuple(last, after ?? "")),
      ),
    )
    .orderBy("words")
    .orderBy("id");
  return idsIn(await page.limit(limit).execute());
}

/** Place after place, until the page is full. */
async function worstFirst(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
  limit: number,
): Promise<string[]> {
  const { after } = narrowing;
  const narrowed = await foundOnce(db, service, narrowing);
  if (narrowed.among?.length === 0) return [];
  let at = after === null ? 0 : await placeOf(db, service, after);
  const found: string[] = [];
  for (let bound = boundAt(after); found.length < limit; bound = null, at += 1) {
    const place = placesByState(db, service, bound)[at];
    if (!place) break;
    found.push(...(await inPlace(db, service, narrowed, place, limit - found.length)));
  }
  return found;
}

/** Behind all where there is no such partner. */
async function placeOf(db: Executor, service: ReachedService, id: string): Promise<number> {
  const places = placesByState(db, service, { is: "=", id });
  for (const [at, place] of places.entries()) if ((await place.execute()).length > 0) return at;
  return places.length;
}

/** Those of which no list is known first, and then by the time of the look. */
async function oldestFirst(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
  limit: number,
): Promise<string[]> {
  const { after } = narrowing;
  const narrowed = await foundOnce(db, service, narrowing);
  if (narrowed.among?.length === 0) return [];
  const looked = lookedAt(db, service);
  const last =
    after === null ? undefined : await looked.where("partner_id", "=", after).executeTakeFirst();
  const never = last
    ? []
    : await inPlace(db, service, narrowed, neverLooked(db, service, boundAt(after)), limit);
  if (never.length === limit) return never;
  const { at, id } = last ?? { at: 0, id: "" };
  const others = await looked
    .$if(narrowed.among !== null, (query) =>
      query.where(isAmong("partner_id", narrowed.among ?? [])),
    )
    // One by one, until the page is full: so many match.
    .$if(isNarrowed(narrowed), (query) =>
      query.where(({ exists }) =>
        exists(matching(db, service, narrowed).whereRef("id", "=", sql.ref("partner_id"))),
      ),
    )
    // Where the index begins.
    .where("looked_at", ">=", at)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("looked_at", "partner_id"), ">", tuple(at, id)))
    .orderBy("looked_at")
    .orderBy("partner_id")
    .limit(limit - never.length)
    .execute();
  return [...never, ...idsIn(others)];
}

/** The first of a place, by id. */
async function inPlace(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
  place: Ids,
  limit: number,
): Promise<string[]> {
  const ordered = place.orderBy("id");
  const page =
    isNarrowed(narrowing) || narrowing.among !== null
      ? matching(db, service, narrowing).where("id", "in", ordered).orderBy("id").limit(limit)
      : ordered.limit(limit);
  return idsIn(await page.execute());
}

/** The partners of whose present client a list is known, and when it came. */
function lookedAt(db: Executor, { environment, baseUrl }: ReachedService) {
  return (
    db
      .selectFrom("confirmed_configurations as confirmed")
      .innerJoin("connections", "connections.id", "connection_id")
      .select(["partner_id as id", "looked_at as at"])
      .where("environment", "=", environment)
      .where("base_url", "=", baseUrl)
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

const boundAt = (after: string | null): Bound | null =>
  after === null ? null : { is: ">", id: after };

const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** More are not looked up one by one. */
const few = 1_000;

/** Where few partners match, they are found once and not in each place. */
async function foundOnce(
  db: Executor,
  service: ReachedService,
  narrowing: Narrowing,
): Promise<Narrowing> {
  if (!isNarrowed(narrowing)) return narrowing;
  const ids = idsIn(
    await matching(db, service, narrowing)
      .limit(few + 1)
      .execute(),
  );
  return ids.length > few ? narrowing : { ...narrowing, words: [], status: undefined, among: ids };
}

/** By more than who may be seen. */
function isNarrowed({ words, status }: Narrowing): boolean {
  return words.length > 0 || status !== undefined;
}

function matching(db: Executor, service: ReachedService, { words, status, among }: Narrowing) {
  return db
    .selectFrom("partners")
    .select("id")
    .$if(among !== null, (query) => query.where(isAmong("id", among ?? [])))
    .$if(status !== undefined, (query) =>
      query.where("id", "in", withStatus(db, status ?? "failing", service)),
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
