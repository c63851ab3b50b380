import "server-only";
import { endpointCheckSchema, type LastChecks } from "@/lib/endpoint-check/model/check";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import type { Transaction } from "kysely";
import * as z from "zod/mini";

/** As it is stored: the whole fingerprint stands beside it. */
const storedSchema = z.omit(endpointCheckSchema, { fingerprint: true });
type Stored = z.infer<typeof storedSchema>;

/** The last check of a type replaces the one before, unless it began earlier. */
export async function storeCheck(
  trx: Transaction<Database>,
  { connection }: ConnectionRef,
  check: { checkedAt: number; fingerprint: string | null; result: Stored },
): Promise<void> {
  const values = {
    base_url: connection.baseUrl,
    client_id: connection.clientId,
    checked_at: check.checkedAt,
    fingerprint: check.fingerprint,
    result_json: JSON.stringify(storedSchema.parse(check.result)),
  };
  await trx
    .insertInto("endpoint_checks")
    .values({ connection_id: connection.id, type: check.result.type, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(["connection_id", "type"])
        .doUpdateSet(values)
        .where("endpoint_checks.checked_at", "<=", check.checkedAt),
    )
    .execute();
}

/** The last check of each address that was registered with this service, by this client of it. */
export async function lastChecks(
  access: PartnerAccess<"webhooks.read">,
  environment: string,
): Promise<LastChecks> {
  const { connection, ...environmentRef } = await requireConnectionRef(access, environment);
  const rows = await db()
    .selectFrom("endpoint_checks")
    .select(["type", "fingerprint", "result_json"])
    .where("connection_id", "=", connection.id)
    .where("base_url", "=", connection.baseUrl)
    .where("client_id", "=", connection.clientId)
    .execute();
  const show = await shownFingerprints(db(), access.partner.id);
  const checks = rows.map(({ type, fingerprint, result_json }) => {
    const data = storedSchema.parse(JSON.parse(result_json));
    const shown = fingerprint && show(environmentRef.environment, fingerprint);
    return { ...data, type: type satisfies WebhookType, fingerprint: shown };
  });
  return { checks };
}
