import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import { sql } from "kysely";
import {
  makeDataKey,
  makeDataKeys,
  unwrapDataKey,
  type DataKey,
  type WrappedKey,
} from "./data-key";
import { EnvelopeError, open, seal } from "./envelope";
import { keyring } from "./keyring";
import { partnerMac } from "./partner-mac";
import { people } from "./people";

/** The owner of the key: a person by their id, or an address that was invited. */
type Owner = { user: string } | { address: string };

/**
 * Stands in for a partner's id, as `people` does: a person's key is a data key like any other, wrapped and rotated with
 * them. 40 characters have room for an id.
 */
export async function keyOwner(db: Executor, owner: Owner): Promise<string> {
  if ("user" in owner) return `@${owner.user}`;
  const digest = await partnerMac(db, people, "address", owner.address.toLowerCase());
  return `@mail-${digest.slice(0, 32)}`;
}

/** Seals under the keys of these owners, and makes missing keys; null for a person who was erased. */
type PersonSeal = (owner: Owner, text: string) => string | null;

/** The address of an erased person's account. */
export const erasedAddress = (userId: string) => `${userId}@erased.invalid`;

const prefix = "sealed:";

/** Queries the database once for any list, even an empty one: the duration does not reveal who is known. */
export async function sealingFor(
  trx: Executor,
  chain: string,
  owners: readonly Owner[],
): Promise<PersonSeal> {
  const names = new Map<string, string>();
  for (const owner of owners) names.set(nameOf(owner), await keyOwner(trx, owner));
  const rows = await trx
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("partner_id", "in", [...names.values(), "@"])
    .execute();
  const keys = new Map(rows.map((row) => [row.partner_id, unwrapDataKey(keyring(), row)]));
  for (const owner of owners) {
    const name = names.get(nameOf(owner)) ?? "";
    // A request that began before the person was erased must not bring them back.
    if (!keys.has(name) && !(await isErased(trx, owner)))
      keys.set(name, await makeDataKey(trx, keyring(), name));
  }
  return (owner, text) => {
    const key = keys.get(names.get(nameOf(owner)) ?? "");
    return key ? prefix + seal(key, additionalDataOf(chain), Buffer.from(text, "utf8")) : null;
  };
}

/**
 * Gives a key to each person without one: those whom an older release, or a program without records, added. Otherwise
 * their first entry would make it, and a refused sign-in would take longer for a known person.
 */
export async function makeMissingKeys(db: Db): Promise<void> {
  for (;;) {
    const missing = await db
      .selectFrom("users")
      .leftJoin("data_keys", (join) =>
        join.on("data_keys.partner_id", "=", sql<string>`'@' || users.id`),
      )
      .select("users.id")
      .where("data_keys.id", "is", null)
      .where("users.email", "<>", sql<string>`users.id || '@erased.invalid'`)
      .limit(idsPerQuery)
      .execute();
    if (missing.length === 0) return;
    await db.transaction().execute(async (trx) => {
      const owners: string[] = [];
      for (const { id } of missing) owners.push(await keyOwner(trx, { user: id }));
      await makeDataKeys(trx, keyring(), owners);
    });
  }
}

async function isErased(trx: Executor, owner: Owner): Promise<boolean> {
  if (!("user" in owner)) return false;
  const row = await trx
    .selectFrom("users")
    .select("email")
    .where("id", "=", owner.user)
    .executeTakeFirst();
  return row?.email === erasedAddress(owner.user);
}

function nameOf(owner: Owner): string {
  return "user" in owner ? `user ${owner.user}` : `address ${owner.address}`;
}

function additionalDataOf(chain: string): string[] {
  return ["history", chain];
}

/**
 * Opens what was sealed in one chain; null: its key was destroyed, or it does not open. Returns other text unchanged.
 */
type PersonOpen = (text: string) => string | null;

/** Reads all keys of these texts at once, and keeps none: they may be destroyed at any time. */
export async function openingOf(
  db: Executor,
  chain: string,
  texts: readonly string[],
): Promise<PersonOpen> {
  const ids = sealingKeysIn(texts);
  const keys = new Map<string, DataKey>();
  const all = [...ids];
  for (let at = 0; at < all.length; at += idsPerQuery)
    for (const row of await keysById(db, all.slice(at, at + idsPerQuery))) keep(keys, row);
  return (text) => {
    if (!text.startsWith(prefix)) return text;
    const key = keys.get(keyIdOf(text));
    if (!key) return null;
    try {
      return open(key, additionalDataOf(chain), text.slice(prefix.length)).toString("utf8");
    } catch (error) {
      if (error instanceof EnvelopeError) return null;
      throw error;
    }
  };
}

const idsPerQuery = 500;

async function keysById(db: Executor, ids: readonly string[]): Promise<WrappedKey[]> {
  return db
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("id", "in", ids)
    .execute();
}

/** One that does not open hides what was sealed under it, and nothing else. */
function keep(keys: Map<string, DataKey>, row: WrappedKey): void {
  try {
    keys.set(row.id, unwrapDataKey(keyring(), row));
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
  }
}

function keyIdOf(text: string): string {
  return text.slice(prefix.length).split(".", 2)[1] ?? "";
}

/** The ids of the keys under which parts of these texts are sealed. */
export function sealingKeysIn(texts: Iterable<string>): Set<string> {
  const ids = new Set<string>();
  for (const text of texts)
    for (const [, id = ""] of text.matchAll(/sealed:v1\.([0-9a-f-]{36})\./g)) ids.add(id);
  return ids;
}
