import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { withUnacknowledged, type ReachedService } from "./read-lines";
import { termOf } from "./search-words";

export type Narrowing = {
  /** Each has to begin a word of the partner. */
  words: readonly string[];
  /** A flag that the partner has to have. */
  flag: string | null;
  /** Only partners with an outside change that nobody has acknowledged there; null: all. */
  unacknowledged: ReachedService | null;
  /** Only these; null: all. */
  among: readonly string[] | null;
  /** The page begins after this id. */
  after: string | null;
};

/** Above this it makes no difference which of two terms is rarer. */
const countedUpTo = 1_000;

/**
 * The ids of at most `limit` partners, in order. Reads the index of the rarest term in that order and stops when the
 * page is full, so that neither the number of partners nor the depth of the page makes it slow.
 */
export async function findPage(
  db: Executor,
  narrowing: Narrowing,
  limit: number,
): Promise<string[]> {
  const { words, flag } = narrowing;
  const terms = [...new Set([...words.map(termOf), ...(flag === null ? [] : [flag])])];
  if (terms.length === 0) return firstPartners(db, narrowing, limit);
  const [rarest, ...others] = await rarestFirst(db, terms);
  return rarest === undefined ? [] : partnersOf(db, rarest, others, narrowing, limit);
}

async function firstPartners(
  db: Executor,
  { among, after, unacknowledged }: Narrowing,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("partners")
    .select("id")
    .$if(among !== null, (query) => query.where("id", "in", some(among)))
    .$if(unacknowledged !== null, (query) =>
      query.where("id", "in", unacknowledged ? withUnacknowledged(db, unacknowledged) : []),
    )
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function partnersOf(
  db: Executor,
  term: string,
  others: readonly string[],
  { words, among, after, unacknowledged }: Narrowing,
  limit: number,
): Promise<string[]> {
  const cut = words.filter((word) => termOf(word) !== word);
  const rows = await db
    .selectFrom("partner_terms as found")
    .select("found.partner_id as id")
    .where("found.term", "=", term)
    .$if(among !== null, (query) => query.where("found.partner_id", "in", some(among)))
    .$if(unacknowledged !== null, (query) =>
      query.where(
        "found.partner_id",
        "in",
        unacknowledged ? withUnacknowledged(db, unacknowledged) : [],
      ),
    )
    .$if(after !== null, (query) => query.where("found.partner_id", ">", after ?? ""))
    .where(({ and, exists, selectFrom }) =>
      and([
        ...others.map((other) =>
          exists(
            selectFrom("partner_terms as other")
              .select("other.term")
              .where("other.term", "=", other)
              .whereRef("other.partner_id", "=", "found.partner_id"),
          ),
        ),
        ...cut.map((word) =>
          exists(
            selectFrom("partner_words as whole")
              .select("whole.partner_id")
              .whereRef("whole.partner_id", "=", "found.partner_id")
              // Words are letters and digits, so they contain no wildcards.
              .where("whole.words", "like", `% ${word}%`),
          ),
        ),
      ]),
    )
    .orderBy("found.partner_id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Empty when a term has no partner at all. */
async function rarestFirst(db: Executor, terms: readonly string[]): Promise<string[]> {
  if (terms.length === 1) return [...terms];
  const counted: { term: string; count: number }[] = [];
  for (const term of terms) {
    const count = await countOf(db, term);
    if (count === 0) return [];
    counted.push({ term, count });
  }
  return counted.sort((a, b) => a.count - b.count).map(({ term }) => term);
}

async function countOf(db: Executor, term: string): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom("partner_terms")
        .select("partner_id")
        .where("term", "=", term)
        .limit(countedUpTo)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** A list for SQL, which has no empty one. */
function some(ids: readonly string[] | null): readonly string[] {
  return ids && ids.length > 0 ? ids : [""];
}
