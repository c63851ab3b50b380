import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { sql } from "kysely";
import * as z from "zod";

/**
 * The rows that decide who may do what. The history notes them with every change that Gancho makes, so that a row
 * changed in the database, past Gancho, differs from its note.
 */

/** How a note shows a column: as it is, whether it is set, or as a keyed digest of what must not be readable there. */
type Column = "plain" | "set" | "digest";

type Guarded = {
  /** Which chain notes it: that of the partner in `chain`, or that of the people of the installation. */
  chain: "people" | { column: string };
  /** The column that groups rows; each group is noted together. */
  owner: string;
  columns: Record<string, Column>;
  /** Only rows in which this column is set, or not, count. */
  where?: { column: string; is: "set" | "not_set" };
};

const ofPartner = { column: "partner_id" };

export const guarded = {
  users: {
    chain: "people",
    owner: "id",
    columns: {
      // Not as it is: notes stay, and people may have to be erased.
      email: "digest",
      staff_role: "plain",
      disabled_at: "set",
      password_hash: "digest",
      // Without it nobody is staff, or one of two people.
      address_proven_at: "set",
      address_proven_by: "plain",
    },
  },
  identities: {
    chain: "people",
    owner: "user_id",
    columns: { issuer: "plain", subject: "digest" },
  },
  /** Before a first code confirms it, a secret requires nothing. */
  one_time_codes: {
    chain: "people",
    owner: "user_id",
    columns: { secret_ciphertext: "digest" },
    where: { column: "confirmed_at", is: "set" },
  },
  /** The counter says nothing of who may sign in, and grows with each use. */
  passkeys: {
    chain: "people",
    owner: "user_id",
    columns: { id: "plain", credential_id: "digest", public_key: "digest" },
  },
  recovery_codes: { chain: "people", owner: "user_id", columns: { code_hash: "digest" } },
  password_links: {
    chain: "people",
    owner: "user_id",
    columns: { token_hash: "digest", expires_at: "plain", proves: "plain" },
    where: { column: "used_at", is: "not_set" },
  },
  partners: {
    chain: { column: "id" },
    owner: "id",
    columns: { name: "plain", suspended_at: "set" },
  },
  memberships: { chain: ofPartner, owner: "user_id", columns: { role: "plain" } },
  vouchers: { chain: ofPartner, owner: "user_id", columns: { by_user_id: "plain" } },
  invitations: {
    chain: ofPartner,
    owner: "id",
    columns: {
      email: "digest",
      role: "plain",
      invited_by_id: "plain",
      mailed: "plain",
      expires_at: "plain",
      accepted_at: "set",
      revoked_at: "set",
      token_hash: "digest",
    },
  },
  four_eyes: {
    chain: ofPartner,
    owner: "partner_id",
    columns: { off_asked_by: "plain", off_asked_at: "plain" },
  },
  connections: {
    chain: ofPartner,
    owner: "environment",
    columns: { client_id: "plain", version: "plain", secret_ciphertext: "digest" },
  },
} as const satisfies Record<string, Guarded>;

export type GuardedTable = keyof typeof guarded;
export const tablesOf = (scope: "people" | "partner") =>
  (Object.keys(guarded) as GuardedTable[]).filter(
    (table) => (guarded[table].chain === "people") === (scope === "people"),
  );

/** Rows that a change may have touched: those of one owner, or with null all of the chain's in that table. */
export type Touched = { table: GuardedTable; owner: string | null };

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const rowSchema = z.record(z.string(), value);
export type GuardedRow = z.infer<typeof rowSchema>;

/** All rows of the group at the time of the note; none: there was none. */
export const noteSchema = z.object({
  table: z.string(),
  /** null: the following notes cover all owners, and no others are left. */
  owner: z.nullable(z.string()),
  rows: z.array(rowSchema),
});
export type Note = z.infer<typeof noteSchema>;

/**
 * Whether a noted row grants nothing any more: a link that was used or has expired. It is deleted some time later,
 * without an entry, so its absence says nothing. While it exists, it still has to match its note.
 */
function isOver(table: GuardedTable, row: GuardedRow, now: number): boolean {
  if (table !== "invitations" && table !== "password_links") return false;
  const { accepted_at, revoked_at, expires_at } = row;
  return (
    accepted_at === true ||
    revoked_at === true ||
    (typeof expires_at === "number" && expires_at < now)
  );
}

/** The noted rows that must exist: all but those that are over and were not found. */
export function mustBeFound(
  table: GuardedTable,
  noted: readonly GuardedRow[],
  found: readonly GuardedRow[],
  now = Date.now(),
): readonly GuardedRow[] {
  if (!noted.some((row) => isOver(table, row, now))) return noted;
  const there = new Set(found.map((row) => canonicalRows([row])));
  return noted.filter((row) => !isOver(table, row, now) || there.has(canonicalRows([row])));
}

/** The digest of a value under a key of this chain. */
export type Digest = (text: string) => string;

export type OwnedRow = { chain: string; owner: string; row: GuardedRow };

type Which = {
  /** Partners; left out for the tables of the people. */
  partners?: readonly string[];
  owners?: readonly string[];
};

/** The rows of one table as a note has them, in no order. `digestOf` gives the digest function for a chain's id. */
export async function readRows(
  executor: Executor,
  table: GuardedTable,
  { partners, owners }: Which,
  digestOf: (chain: string) => Digest | null,
): Promise<OwnedRow[]> {
  const { chain, owner, columns, where }: Guarded = guarded[table];
  const isPartners = chain !== "people";
  const conditions = [
    ...(isPartners && partners ? [sql`${sql.ref(chain.column)} in (${sql.join(partners)})`] : []),
    ...(owners ? [sql`${sql.ref(owner)} in (${sql.join(owners)})`] : []),
    ...(where
      ? [sql`${sql.ref(where.column)} is ${sql.raw(where.is === "set" ? "not null" : "null")}`]
      : []),
  ];
  const names = Object.keys(columns);
  const { rows } = await sql<Record<string, string | number | null>>`
    select ${isPartners ? sql.ref(chain.column) : sql.lit("")} as chain_id,
      ${sql.ref(owner)} as owner_id, ${sql.join(names.map((name) => sql.ref(name)))}
    from ${sql.table(table)}
    ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}`.execute(
    executor,
  );
  return rows.map((found) => {
    const id = String(found["chain_id"]);
    const digest = digestOf(id);
    return {
      chain: id,
      owner: String(found["owner_id"]),
      row: Object.fromEntries(
        Object.entries(columns).map(([name, how]) => [
          name,
          noted(how, table, name, found[name] ?? null, digest),
        ]),
      ),
    };
  });
}

function noted(
  how: Column,
  table: string,
  column: string,
  found: string | number | null,
  digest: Digest | null,
): string | number | boolean | null {
  if (how === "plain") return found;
  if (how === "set") return found !== null;
  // Long enough to be unique; the table and the column keep two of the same value apart.
  return found === null
    ? null
    : (digest?.(JSON.stringify([table, column, found])).slice(0, 32) ?? "");
}

/** A note in today's form: older ones have plain e-mail addresses. */
export function asNotedToday(note: Note, digest: Digest | null): Note {
  const { table, rows } = note;
  if ((table !== "users" && table !== "invitations") || !rows.some(hasPlainAddress)) return note;
  const today = (row: GuardedRow) => {
    const email = hasPlainAddress(row) ? String(row["email"]) : null;
    return email === null ? row : { ...row, email: noted("digest", table, "email", email, digest) };
  };
  return { ...note, rows: rows.map(today) };
}

/** A digest has no such character. */
function hasPlainAddress({ email }: GuardedRow): boolean {
  return typeof email === "string" && email.includes("@");
}

/** The same text for the same rows, in whatever order they were read. */
export function canonicalRows(rows: readonly GuardedRow[]): string {
  return JSON.stringify(rows.map((row) => JSON.stringify(Object.entries(row).sort(byName))).sort());
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
