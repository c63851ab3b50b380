import { secretIdentity } from "@/lib/partners/server/connection";
import { insertPartner } from "@/lib/partners/server/create-partner";
import type { Db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/schema";
import { decryptFor, encryptFor } from "@/lib/platform/secrets/field";
import { Secret } from "@/lib/platform/runtime/secret";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";

const batchSize = 100;
/** Each secret names its partner; the service knows none of these partners. */
const prefix = "sealed-";

/** A connection with a secret that can be verified. */
export type Sealed = { id: string; partner_id: string; secret_ciphertext: string };

/** Adds so many partners with a secret each, sealed under this process's active key, or whichever took its place. */
export async function addSealed(db: Db, count: number): Promise<void> {
  for (let done = 0; done < count; done += batchSize)
    await db.transaction().execute(async (trx) => {
      for (let n = done; n < Math.min(count, done + batchSize); n += 1) await addOne(trx);
    });
}

async function addOne(trx: Transaction<Database>): Promise<void> {
  const partnerId = `${prefix}${randomUUID().slice(0, 30)}`;
  const id = randomUUID();
  const now = Date.now();
  await insertPartner(trx, { id: partnerId, name: partnerId });
  await trx
    .insertInto("connections")
    .values({
      id,
      partner_id: partnerId,
      environment: "lane-0",
      client_id: partnerId,
      secret_ciphertext: await encryptFor(trx, partnerId, secretIdentity(id), newSecret(id)),
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Another secret for the same connection. */
export async function sealAnew(db: Db, { id, partner_id }: Sealed): Promise<void> {
  const secret_ciphertext = await encryptFor(db, partner_id, secretIdentity(id), newSecret(id));
  await db.updateTable("connections").set({ secret_ciphertext }).where("id", "=", id).execute();
}

/** Whether it exists, opens and belongs to this connection. Throws when it does not open. */
export async function isRight(db: Db, { id, partner_id, secret_ciphertext }: Sealed) {
  const secret = await decryptFor(db, partner_id, secretIdentity(id), secret_ciphertext);
  return !partner_id.startsWith(prefix) || secret.reveal().startsWith(`secret of ${id}: `);
}

export async function allSealed(db: Db): Promise<Sealed[]> {
  return db
    .selectFrom("connections")
    .select(["id", "partner_id", "secret_ciphertext"])
    .where("partner_id", "like", `${prefix}%`)
    .orderBy("id")
    .execute();
}

function newSecret(connectionId: string): Secret {
  return new Secret(`secret of ${connectionId}: ${randomUUID()}`);
}
