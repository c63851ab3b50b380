import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { encryptFor } from "@/lib/platform/secrets/field";
import type { Secret } from "@/lib/platform/runtime/secret";
import { randomUUID } from "node:crypto";
import { secretIdentity } from "./secret-identity";

type NewConnection = {
  partnerId: string;
  environment: string;
  clientId: string;
  clientSecret: Secret;
};

/** Adds a partner's connection for an environment that has none yet; one that is there stays as it is. Says whether it did. */
export async function addConnection(db: Executor, connection: NewConnection): Promise<boolean> {
  const id = randomUUID();
  const { partnerId, environment, clientId, clientSecret } = connection;
  const now = Date.now();
  const added = await db
    .insertInto("connections")
    .values({
      id,
      partner_id: partnerId,
      environment,
      client_id: clientId,
      secret_ciphertext: await encryptFor(db, partnerId, secretIdentity(id), clientSecret),
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["partner_id", "environment"]).doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}
