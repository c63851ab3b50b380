import { openDatabase, type Db } from "@/lib/platform/database/open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { randomBytes } from "node:crypto";
import { dataKeyFor } from "@/lib/platform/secrets/data-key";
import { open, seal, keyringOf, type Keyring } from "@/lib/platform/secrets/envelope";
import { Secret } from "@/lib/platform/runtime/secret";

/** Keys of ENCRYPTION_KEYS by id, each drawn once. */
const keys = new Map<string, string>();

function keyOf(id: string): string {
  const key = keys.get(id) ?? randomBytes(32).toString("base64");
  keys.set(id, key);
  return key;
}

/** The environment of a process whose ENCRYPTION_KEYS has these ids, the active one first. */
export function ring(first: string, ...others: string[]): Keyring {
  const entry = (id: string) => ({ id, key: new Secret(keyOf(id)) });
  return keyringOf([entry(first), ...others.map(entry)]);
}

/** The same as a variable. */
export const variable = (...ids: string[]) => ids.map((id) => `${id}:${keyOf(id)}`).join(",");

/** A migrated database, opened as by one process. `again` opens it as by another one, which remembers nothing. */
export type SealedWorld = { url: string; db: Db; again: () => Db };

export async function sealedWorld(): Promise<SealedWorld> {
  const url = await migratedDatabaseUrl();
  const db = openDatabase(url);
  return { url, db, again: () => openDatabase(url) };
}

const secretOf = (partner: string) => `secret of ${partner}`;
const additionalDataOf = (partner: string) => ["field", partner, "connections", partner, "secret"];

/** Adds partners whose secrets are sealed by a process with this keyring. Returns what to store for each. */
export async function sealSecrets(
  db: Db,
  keyring: Keyring,
  partners: readonly string[],
): Promise<Map<string, string>> {
  const sealed = new Map<string, string>();
  await db.transaction().execute(async (trx) => {
    const rows = partners.map((id) => ({ id, name: id, created_at: 1, suspended_at: null }));
    await trx.insertInto("partners").values(rows).execute();
    for (const id of partners) {
      const key = await dataKeyFor(trx, keyring, id);
      sealed.set(id, seal(key, additionalDataOf(id), Buffer.from(secretOf(id))));
    }
  });
  return sealed;
}

/** The partners whose secret does not open, in a process with this keyring and an empty cache. */
export async function unreadable(
  world: SealedWorld,
  keyring: Keyring,
  sealed: ReadonlyMap<string, string>,
): Promise<string[]> {
  const db = world.again();
  const bad: string[] = [];
  for (const [id, envelope] of sealed) {
    const text = await dataKeyFor(db, keyring, id)
      .then((key) => open(key, additionalDataOf(id), envelope).toString())
      .catch(() => null);
    if (text !== secretOf(id)) bad.push(id);
  }
  await db.destroy();
  return bad;
}

export const named = (count: number, prefix = "partner") =>
  Array.from({ length: count }, (_, n) => `${prefix}-${String(n).padStart(4, "0")}`);
