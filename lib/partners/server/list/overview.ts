import "server-only";
import { keepClient } from "@/lib/partners/server/connection";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Database, PartnerOverviewRow } from "@/lib/platform/database/tables";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { Transaction } from "kysely";
import { domainToUnicode } from "node:url";
import { searchable } from "./search-words";

/** What the list of partners shows of the service's last answer. */
export type Overview = {
  /** Host of each callback URL; null where that type is not registered, empty where Gancho cannot tell. */
  hosts: Record<WebhookType, string | null>;
  /** Registered types without an Authorization value, in the order of the contract. */
  withoutAuthorization: readonly WebhookType[];
};

/** A partner's environment as reached now, not at another base address or as another client. */
type Of = {
  partnerId: string;
  environment: string;
  connection: { baseUrl: string; clientId: string };
};

/** Stores what an answer of the service showed, in the transaction that makes it the confirmed configuration. */
export async function recordOverview(
  trx: Transaction<Database>,
  of: Of,
  overview: Overview,
): Promise<void> {
  await put(trx, of, {
    ...sourceOf(of),
    confirmed: 1 as const,
    pix_in_host: overview.hosts.pix_in,
    pix_out_host: overview.hosts.pix_out,
    without_authorization: overview.withoutAuthorization.join(","),
    fault_code: null,
    fault_request_id: null,
    failing_since: null,
  });
}

/**
 * Stores that the service could not be read, for the list of partners. `epoch` is that of the configuration confirmed
 * when the read began, 0 where there was none: a later one takes precedence. A request to slow down says nothing about
 * the connection.
 */
export async function recordFault(
  of: Of & { connection: { id: string } },
  fault: { code: FaultCode; requestId: string; epoch: number },
): Promise<void> {
  if (fault.code === "upstream_rate_limited" || fault.code === "overloaded") return;
  if ((await findOverview(db(), of))?.fault_code === fault.code) return;
  await db()
    .transaction()
    .execute(async (trx) => {
      await keepClient(trx, of.connection.id);
      const confirmed = await trx
        .selectFrom("confirmed_configurations")
        .select("epoch")
        .where("connection_id", "=", of.connection.id)
        .executeTakeFirst();
      if ((confirmed?.epoch ?? 0) !== fault.epoch) return;
      const before = await findOverview(trx, of);
      await put(trx, of, {
        ...sourceOf(of),
        confirmed: before?.confirmed ?? 0,
        pix_in_host: before?.pix_in_host ?? null,
        pix_out_host: before?.pix_out_host ?? null,
        without_authorization: before?.without_authorization ?? "",
        fault_code: fault.code,
        fault_request_id: fault.requestId,
        failing_since: before?.failing_since ?? databaseTime(),
      });
    });
}

/** null where it was never read. Checks no access. */
export async function findOverview(
  executor: Executor,
  { partnerId, environment, connection }: Of,
): Promise<PartnerOverviewRow | null> {
  const row = await executor
    .selectFrom("partner_overviews")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("base_url", "=", connection.baseUrl)
    .where("client_id", "=", connection.clientId)
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes the overview, so that the list no longer finds the partner by it. */
export async function forgetOverview(
  trx: Transaction<Database>,
  { partnerId, environment }: Pick<Of, "partnerId" | "environment">,
): Promise<void> {
  await trx
    .deleteFrom("partner_overviews")
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .execute();
}

function sourceOf({ connection: { baseUrl, clientId } }: Of) {
  return { base_url: baseUrl, client_id: clientId };
}

type Facts = Omit<PartnerOverviewRow, "partner_id" | "environment">;

/**
 * Writes only what is new, and nothing where the connection has another client by now. The caller keeps the client as it
 * is, by `keepClient` or the connection's lock.
 */
async function put(
  trx: Transaction<Database>,
  { partnerId, environment }: Of,
  overview: Omit<Facts, "words">,
): Promise<void> {
  const hosts = [overview.pix_in_host, overview.pix_out_host].filter((host) => host !== null);
  // A host in another script can be searched by its Unicode form, too.
  const words = searchable(...hosts, ...hosts.map(domainToUnicode));
  const facts: Facts = { ...overview, words };
  const names = Object.keys(facts) as (keyof Facts)[];
  await trx
    .insertInto("partner_overviews")
    .columns(["partner_id", "environment", ...names])
    .expression(({ selectFrom, val }) =>
      selectFrom("connections")
        .select(["partner_id", "environment"])
        .select(names.map((name) => val(facts[name]).as(name)))
        .where("partner_id", "=", partnerId)
        .where("environment", "=", environment)
        .where("client_id", "=", overview.client_id),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["partner_id", "environment"])
        .doUpdateSet(facts)
        .where(({ eb, or, ref }) =>
          or(
            names.map((fact) =>
              eb(`partner_overviews.${fact}`, "is distinct from", ref(`excluded.${fact}`)),
            ),
          ),
        ),
    )
    .execute();
}
