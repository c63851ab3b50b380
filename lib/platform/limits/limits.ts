import "server-only";
import { tooMany } from "@/lib/platform/http/model/refusals";
import { db, type Db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { sql } from "kysely";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

/**
 * At most so many within so many seconds from the first one. What has the same `key` counts together; keys are stored
 * in plain text.
 */
export type Limit = { key: string; most: number; seconds: number };

const tenMinutes = 600;
const day = 86_400;

/**
 * `session`: its hash, for people's changes of their own account. Counted apart, so that the thief of one session
 * cannot keep its person from a new password.
 */
export type ChangeBy = { person: string; partner: string | null } | { session: string };

/**
 * The changes of a person, and those of all of a partner's people, its operators and support. Each change is an entry
 * or two of a history that nobody can shorten. Ten changes in ten minutes are a busy person; a script is stopped within
 * seconds. Only four people together can use up a partner's limit.
 */
function changeLimits(by: ChangeBy): Limit[] {
  const { changeLimit } = env();
  if ("session" in by) return spread(`changes in ${by.session}`, changeLimit);
  const { person, partner } = by;
  return [
    ...spread(`changes by ${person}`, changeLimit),
    ...(partner === null ? [] : spread(`changes at ${partner}`, 4 * changeLimit)),
  ];
}

function spread(key: string, most: number): Limit[] {
  return [
    { key: `${key} in ten minutes`, most, seconds: tenMinutes },
    { key: `${key} in a day`, most: 5 * most, seconds: day },
  ];
}

/** Counts a change that is about to be made. Throws `too_many_requests`: then nothing was changed. */
export async function countChange(by: ChangeBy): Promise<void> {
  await requireRoom(changeLimits(by));
}

/**
 * Counts a reading that takes long: as many as changes in ten minutes, and apart from them. Throws
 * `too_many_requests`.
 */
export async function countLongReading(
  what: "exports" | "diagnoses",
  { person, partner }: { person: string; partner: string | null },
): Promise<void> {
  const { changeLimit } = env();
  await requireRoom([
    { key: `${what} by ${person}`, most: changeLimit, seconds: tenMinutes },
    ...(partner === null
      ? []
      : [{ key: `${what} at ${partner}`, most: 4 * changeLimit, seconds: tenMinutes }]),
  ]);
}

/** Counts one more. Throws `too_many_requests` where there were as many already. */
export async function requireRoom(limits: readonly Limit[]): Promise<void> {
  const retryAfter = await take(db(), limits);
  if (retryAfter !== null) throw tooMany(retryAfter);
}

/**
 * Counts one more in each, in this order, in the database, so that several instances count together; the first full one
 * ends it. All in one transaction, to wait for the disk once; not in the caller's, so that counts persist. Returns
 * null, or in how many seconds there is room.
 */
export async function take(db: Db, limits: readonly Limit[]): Promise<number | null> {
  return counted(db, limits, (trx) => takeEach(trx, limits));
}

/** The full limit, and until when. Thrown, it rolls back what was counted with it. */
type FullLimit = { name: string; until: number };

class Full extends Error {
  readonly limit: FullLimit;
  constructor(limit: FullLimit) {
    super("a limit is full");
    this.limit = limit;
  }
}

async function counted(
  db: Db,
  limits: readonly Limit[],
  count: (trx: Executor) => Promise<FullLimit | null>,
): Promise<number | null> {
  await clearOver(db);
  const known = refusedUntil(db, limits);
  if (known !== null) return secondsUntil(known);
  const full = await db
    .transaction()
    .execute(count)
    .catch((thrown: unknown) => {
      if (thrown instanceof Full) return thrown.limit;
      throw thrown;
    });
  if (!full) return null;
  refusals(db).until.set(full.name, full.until);
  return secondsUntil(full.until);
}

/** The first that is full, and until when; null where all had room. */
async function takeEach(trx: Executor, limits: readonly Limit[]): Promise<FullLimit | null> {
  for (const limit of limits) {
    try {
      await limiterIn(trx, limit).consume(limit.key);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { name: nameOf(limit), until: Date.now() + refused.msBeforeNext };
    }
  }
  return null;
}

function secondsUntil(moment: number): number {
  return Math.max(1, Math.ceil((moment - Date.now()) / 1_000));
}

/** Limits known to be full, and until when: a flood of refusals does not reach the database. */
type Refusals = { until: Map<string, number>; clearedAt: number };
const ofDatabase = new WeakMap<Db, Refusals>();

function refusals(db: Db): Refusals {
  const known = ofDatabase.get(db) ?? { until: new Map<string, number>(), clearedAt: 0 };
  ofDatabase.set(db, known);
  return known;
}

/** Only the first may be known to be full: those before another one are counted first. */
function refusedUntil(db: Db, [first]: readonly Limit[]): number | null {
  const until = first && refusals(db).until.get(nameOf(first));
  return until !== undefined && until > Date.now() ? until : null;
}

/** A changed maximum makes it another limit. */
function nameOf({ key, most, seconds }: Limit): string {
  return JSON.stringify([key, most, seconds]);
}

function limiterIn(trx: Executor, { most, seconds }: Limit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: clientOf(trx),
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    // It would do so by its own timer, which outlives the database.
    clearExpiredByTimeout: false,
    keyPrefix: "",
    points: most,
    duration: seconds,
  });
}

type Query = { text: string; values: readonly unknown[] };

/**
 * The library's statements, in PostgreSQL's dialect, go over our connections; SQLite understands them, too, with its
 * own placeholders.
 */
function clientOf(executor: Executor) {
  return {
    query: async ({ text, values }: Query) => {
      const parts = text
        .split(/\$(\d+)/)
        .map((part, at) => (at % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`));
      const { rows } = await sql.join(parts, sql.raw("")).execute(executor);
      return { rows, rowCount: rows.length };
    },
  };
}

/** At most once a minute. Does not throw: a failed cleanup refuses nobody. */
async function clearOver(db: Db): Promise<void> {
  const known = refusals(db);
  const now = Date.now();
  if (now < known.clearedAt + 60_000) return;
  known.clearedAt = now;
  for (const [name, until] of known.until) if (until <= now) known.until.delete(name);
  try {
    await db.deleteFrom("rate_limits").where("expire", "<=", now).execute();
  } catch (err) {
    log.warn({ err }, "counts that are over were not cleared away");
  }
}
