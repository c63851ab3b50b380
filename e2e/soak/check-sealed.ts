import { secretIdentity } from "@/lib/partners/server/connection";
/** What a process with this ENCRYPTION_KEYS can read that remembers nothing: of every row in its place, and of each in another one's. */
import { openDatabase } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { opensDataKey } from "@/lib/platform/secrets/data-key";
import { EnvelopeError } from "@/lib/platform/secrets/envelope";
import { decryptFor } from "@/lib/platform/secrets/field";
import { keyring } from "@/lib/platform/secrets/keyring";
import { isRight } from "./sealed";

const db = openDatabase(env().databaseUrl.reveal());
const counts = { secrets: 0, readable: 0, keys: 0, keysOpen: 0, elsewhere: 0 };

const keys = await db.selectFrom("data_keys").selectAll().orderBy("id").execute();
for (const [at, key] of keys.entries()) {
  const other = keys[(at + 1) % keys.length] ?? key;
  counts.keys += 1;
  if (opensDataKey(keyring(), key)) counts.keysOpen += 1;
  for (const moved of [
    { ...key, partner_id: other.partner_id },
    { ...key, id: other.id, partner_id: other.partner_id },
  ])
    if (opensDataKey(keyring(), moved)) counts.elsewhere += 1;
}

const secrets = await db
  .selectFrom("connections")
  .select(["id", "partner_id", "secret_ciphertext"])
  .orderBy("id")
  .execute();
for (const [at, secret] of secrets.entries()) {
  const other = secrets[(at + 1) % secrets.length] ?? secret;
  counts.secrets += 1;
  if (await opens(() => isRight(db, secret))) counts.readable += 1;
  for (const partnerId of [secret.partner_id, other.partner_id])
    if (
      await opens(() =>
        decryptFor(db, partnerId, secretIdentity(other.id), secret.secret_ciphertext),
      )
    )
      counts.elsewhere += 1;
}
await db.destroy();
console.log(JSON.stringify(counts));

async function opens(open: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await open()) !== false;
  } catch (error) {
    if (error instanceof EnvelopeError) return false;
    throw error;
  }
}
