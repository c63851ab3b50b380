import "server-only";
import { byNobody, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { forgetOverview } from "@/lib/partners/server/list/overview";
import { addConnection, secretIdentity } from "@/lib/partners/server/connection";
import type { Database } from "@/lib/platform/database/tables";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { encryptFor } from "@/lib/platform/secrets/field";
import { closeSaves } from "@/lib/webhooks/server/observe/saves";
import type { Transaction } from "kysely";
import { storeCheck } from "./check";
import { hasOtherSecret, type Credentials } from "./credentials";

/** That the payment service took credentials; `at` in milliseconds. */
export type Trial = { at: number; requestId: string };

type Setting = Credentials & {
  partnerId: string;
  environment: string;
  baseUrl: string;
  /** The credentials in use, whose lock the caller holds; null where nothing is set up. */
  before: PartnerConnection | null;
  /** What the partner reads of why they were replaced. */
  reason: string | null;
  /** null: untried. */
  trial: Trial | null;
};

/**
 * Sets up or replaces credentials for the operator at the terminal. Returns the entry for the history, which the
 * caller records last; null where somebody else changed the connection meanwhile.
 */
export async function setByOperator(
  trx: Transaction<Database>,
  setting: Setting,
): Promise<NewHistoryEntry | null> {
  const { partnerId, environment, baseUrl, clientId, clientSecret, before, reason, trial } =
    setting;
  const id = before
    ? await replace(trx, setting, before)
    : await addConnection(trx, { partnerId, environment, clientId, clientSecret });
  if (id === null) return null;
  if (trial) {
    const version = before ? before.version + 1 : 1;
    await storeCheck(trx, { id, version, baseUrl }, null, { actor: null, ...trial });
  }
  if (before && before.clientId !== clientId) {
    await closeSaves(trx, before.id, "all");
    await forgetOverview(trx, { partnerId, environment });
  }
  return {
    ...byNobody,
    partnerId,
    environment,
    kind: "connection_changed",
    outcome: before ? "replaced" : "created",
    detail: {
      clientIdBefore: before?.clientId ?? null,
      clientIdAfter: clientId,
      secretReplaced: hasOtherSecret(before, setting),
      check: null,
      ...(before && reason !== null && { reason }),
    },
  };
}

async function replace(
  trx: Transaction<Database>,
  { partnerId, clientId, clientSecret }: Setting,
  before: PartnerConnection,
): Promise<string | null> {
  const updated = await trx
    .updateTable("connections")
    .set({
      client_id: clientId,
      secret_ciphertext: await encryptFor(trx, partnerId, secretIdentity(before.id), clientSecret),
      version: before.version + 1,
      updated_at: databaseTime(),
      changed_by_id: null,
      approved_by_id: null,
    })
    .where("id", "=", before.id)
    .where("version", "=", before.version)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n ? before.id : null;
}
