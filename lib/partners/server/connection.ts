import "server-only";
import type { ConnectionRow } from "@/lib/platform/database/schema";
import { db } from "@/lib/platform/database/open";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { decryptFor } from "@/lib/platform/secrets/field";
import { secretIdentity } from "./secret-identity";

/**
 * The partner's connection for one environment, its secret decrypted, or null where none is set up.
 * Takes the partner's id on trust: ask `requirePartner` first.
 */
export async function connectionOf(
  partnerId: string,
  environment: { name: string; baseUrl: string },
): Promise<PartnerConnection | null> {
  const row = await db()
    .selectFrom("connections")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment.name)
    .executeTakeFirst();
  return row ? open(row, environment.baseUrl) : null;
}

async function open(row: ConnectionRow, baseUrl: string): Promise<PartnerConnection> {
  return {
    id: row.id,
    version: row.version,
    baseUrl,
    clientId: row.client_id,
    clientSecret: await decryptFor(
      db(),
      row.partner_id,
      secretIdentity(row.id),
      row.secret_ciphertext,
    ),
  };
}
