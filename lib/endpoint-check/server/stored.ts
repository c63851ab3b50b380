import "server-only";
import {
  endpointCheckSchema,
  type LastChecks,
  type Verdict,
} from "@/lib/endpoint-check/model/check";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { Database } from "@/lib/platform/database/tables";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";
import { loadLastKnown } from "@/lib/webhooks/server/read/last-known";
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import type { Transaction } from "kysely";
import * as z from "zod/mini";

/** As stored in JSON: the full fingerprint and `since` have columns of their own. */
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
 * guesses a value whether it is right.
 */
export async function lastChecks(
  access: PartnerAccess<"webhooks.read">,
  environment: string,
): Promise<LastChecks> {
  const connectionRef = await requireConnectionRef(access, environment);
  const { connection, ...environmentRef } = connectionRef;
  const rows = await db()
    .selectFrom("endpoint_checks")
    .selectAll()
    .where("connection_id", "=", connection.id)
    .orderBy("checked_at")
    .execute();
  const { confirmed } = await loadLastKnown(db(), connectionRef);
  const ofThisClient = rows.filter(
    ({ base_url, client_id }) =>
      base_url === connection.baseUrl && client_id === connection.clientId,
  );
  const show = await shownFingerprints(db(), access.partner.id);
  const all = ofThisClient.flatMap(({ fingerprint, result_json, same_since, checked_at }) => {
    if (result_json === null) return [];
    const data = storedSchema.parse(JSON.parse(result_json));
    const written = confirmed?.written?.[data.type];
    const isSaved =
      isSameAddress(confirmed?.known?.[data.type]?.callbackUrl ?? "", data.url) &&
      written?.value === fingerprint &&
      checked_at < written.at;
    if (data.typed && !isSaved) return [];
    const shown = fingerprint && show(environmentRef.environment, fingerprint);
    return [{ ...data, since: new Date(same_since).toISOString(), fingerprint: shown }];
  });
  const checks = [...new Map(all.map((check) => [check.type, check])).values()];
  const isDaily = ({ daily_due_at }: (typeof rows)[number]) =>
    daily_due_at !== null && env().endpointChecks === "daily";
  const daily = rows.filter(isDaily).map(({ type }) => type);
  return { checks, daily };
}
