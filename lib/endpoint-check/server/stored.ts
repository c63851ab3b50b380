import "server-only";
import {
  endpointCheckSchema,
  type LastChecks,
  type Verdict,
} from "@/lib/endpoint-check/model/check";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { Database } from "@/lib/platform/database/tables";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import { requireKnownConnection } from "@/lib/webhooks/server/observe/reading";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";
import type { LastLook, ShownLook } from "@/lib/webhooks/server/observe/observed";
import type { ConnectionRef } from "@/lib/webhooks/server/observe/remote-state";
import type { Selectable, Transaction } from "kysely";
import { cache } from "react";
import * as z from "zod/mini";

/** As stored in JSON: `by` is a person's id, and the full fingerprint and `since` have columns of their own. */
const storedSchema = z.omit(endpointCheckSchema, { fingerprint: true, since: true });
type Stored = z.infer<typeof storedSchema>;

type Previous = { verdict: Verdict; at: number; since: number };

/**
 * The last check of a type replaces the one before, unless it began earlier; one of a typed address does not replace
 * one of a registered address. Returns since when checks of this address and value have had this verdict, the previous
 * check of the same, and whether the stored one was of this address. What was mailed of another address's certificate
 * does not count for this one.
 */
export async function storeCheck(
  trx: Transaction<Database>,
  { connection }: ConnectionRef,
  check: { checkedAt: number; fingerprint: string | null; result: Stored },
): Promise<{ since: number; previous: Previous | null; isSameAddress: boolean }> {
  const source = { base_url: connection.baseUrl, client_id: connection.clientId };
  const before = await storedBefore(trx, connection.id, { ...check, ...source });
  const { previous, isSameAddress, isFromWrongClock } = before;
  const isSame = previous?.verdict === check.result.verdict;
  const since = isSame ? previous.since : check.checkedAt;
  const values = {
    ...source,
    checked_at: check.checkedAt,
    same_since: since,
    fingerprint: check.fingerprint,
    result_json: JSON.stringify(storedSchema.parse(check.result)),
    ...(!isSameAddress && { alerted_days: null }),
  };
  const { type } = check.result;
  const typed = check.result.typed ? 1 : 0;
  await trx
    .insertInto("endpoint_checks")
    .values({ connection_id: connection.id, type, typed, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(["connection_id", "type", "typed"])
        .doUpdateSet(values)
        .where(({ eb, or, lit }) =>
          or([lit(isFromWrongClock), eb("endpoint_checks.checked_at", "<=", check.checkedAt)]),
        ),
    )
    .execute();
  return { since, previous, isSameAddress };
}

/** No check takes longer: a stored one that began later than this from now was stored by a clock that was wrong. */
const longestMs = 10 * 60_000;

async function storedBefore(
  trx: Transaction<Database>,
  connectionId: string,
  now: Parameters<typeof storeCheck>[2] & { base_url: string; client_id: string },
): Promise<{ previous: Previous | null; isSameAddress: boolean; isFromWrongClock: boolean }> {
  const row = await trx
    .selectFrom("endpoint_checks")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .where("type", "=", now.result.type)
    .where("typed", "=", now.result.typed ? 1 : 0)
    .executeTakeFirst();
  if (!row?.result_json) return { previous: null, isSameAddress: false, isFromWrongClock: false };
  const { verdict, url } = storedSchema.parse(JSON.parse(row.result_json));
  const isFromWrongClock = row.checked_at > now.checkedAt + longestMs;
  const isSameAddress =
    row.base_url === now.base_url && row.client_id === now.client_id && url === now.result.url;
  const isSame = isSameAddress && row.fingerprint === now.fingerprint && !isFromWrongClock;
  return {
    previous: isSame ? { verdict, at: row.checked_at, since: row.same_since } : null,
    isSameAddress,
    isFromWrongClock,
  };
}

/**
 * The last check of each address that was registered with this service, by this client of it; and which are daily. A
 * check of a typed address is among them once a later save has registered the same: sooner, it would tell somebody who
 * guesses a value whether it is right. `look`: the last one, if the caller has it.
 */
export async function lastChecks(
  access: PartnerAccess<"webhooks.read">,
  environment: string,
  look: ShownLook | null = null,
): Promise<LastChecks> {
  const { connectionRef, last } = look ?? (await lookNow(access, environment));
  const { connection, ...environmentRef } = connectionRef;
  const rows = await rowsOf(db(), [connection.id]);
  const show = await shownFingerprints(db(), access.partner.id);
  const people = rows.flatMap(({ result_json }) =>
    result_json === null ? [] : storedSchema.parse(JSON.parse(result_json)).by,
  );
  const nameOf = await distinctNames(db(), access.partner.id, people);
  const checks = checksIn(rows, connection, last).map((check) => {
    const { fingerprint, since, ...data } = check;
    const shown = fingerprint && show(environmentRef.environment, fingerprint);
    const by = data.by && nameOf(data.by);
    return { ...data, by, since: new Date(since).toISOString(), fingerprint: shown };
  });
  const isDaily = ({ daily_due_at }: (typeof rows)[number]) =>
    daily_due_at !== null && env().endpointChecks === "daily";
  const daily = rows.filter(isDaily).map(({ type }) => type);
  return { checks, daily };
}

async function lookNow(access: PartnerAccess<"webhooks.read">, environment: string) {
  const { connectionRef, known } = await requireKnownConnection(access, environment);
  return { connectionRef, last: known.last };
}

/** Of these connections. A page reads those of each connection once, though its list and its cards are about them. */
async function rowsOf(executor: Executor, ids: readonly string[]): Promise<Row[]> {
  const read = executor.isTransaction ? new Map<string, Row[]>() : readForPage();
  const missing = ids.filter((id) => !read.has(id));
  if (missing.length > 0) {
    const rows = await executor
      .selectFrom("endpoint_checks")
      .selectAll()
      .where("connection_id", "in", missing)
      .orderBy("checked_at")
      .execute();
    for (const id of missing)
      read.set(
        id,
        rows.filter(({ connection_id }) => connection_id === id),
      );
  }
  return ids.flatMap((id) => read.get(id) ?? []);
}

type Row = Selectable<Database["endpoint_checks"]>;

/** By the connection; anew for every call outside a page. */
const readForPage = cache(() => new Map<string, Row[]>());

type Source = Pick<ConnectionRef["connection"], "baseUrl" | "clientId">;

/** At most one of each type. `fingerprint`: the whole HMAC; `since` in milliseconds. */
function checksIn(rows: readonly Row[], { baseUrl, clientId }: Source, last: LastLook | null) {
  const ofThisClient = rows.filter(
    ({ base_url, client_id }) => base_url === baseUrl && client_id === clientId,
  );
  const all = ofThisClient.flatMap(({ fingerprint, result_json, same_since, checked_at }) => {
    if (result_json === null) return [];
    const data = storedSchema.parse(JSON.parse(result_json));
    const observed = last?.types[data.type];
    const isSaved =
      isSameAddress(observed?.shown?.state?.callbackUrl ?? "", data.url) &&
      observed?.sentValue === fingerprint &&
      checked_at < (observed.shown?.since.at ?? 0);
    return data.typed && !isSaved ? [] : [{ ...data, fingerprint, since: same_since }];
  });
  return [...new Map(all.map((check) => [check.type, check])).values()];
}

/**
 * The last check of exactly what is registered now, of each type of each of these connections, by the connection's id.
 * Checks no access.
 */
export async function currentChecks(
  executor: Executor,
  of: readonly { connection: Source & { id: string }; last: LastLook }[],
): Promise<ReadonlyMap<string, ReturnType<typeof checksIn>>> {
  const ids = of.map(({ connection }) => connection.id);
  const rows = env().endpointChecks === "off" ? [] : await rowsOf(executor, ids);
  return new Map(
    of.map(({ connection, last }) => {
      const own = rows.filter(({ connection_id }) => connection_id === connection.id);
      const isCurrent = (check: ReturnType<typeof checksIn>[number]) => {
        const now = last.remote.webhooks[check.type];
        return now?.callbackUrl === check.url && now.fingerprint === check.fingerprint;
      };
      return [connection.id, checksIn(own, connection, last).filter(isCurrent)];
    }),
  );
}
