import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { sql } from "kysely";

/** More partners than this are not told apart by what was looked up. */
const most = 200;

const email = /^[^\s@]+@[^\s@]+$/;
const path = /^\/[^\s]+$/;

/** Whether it can only be an email or a path. */
export function isQuoted(search: string): boolean {
  return email.test(search) || path.test(search);
}

/**
 * The partners that somebody quotes something of, which is no word of theirs: a member's email, a client id, a request's
 * id, or the path of a callback address. For staff: whoever finds a partner by a member's email learns that there is
 * such a member.
 */
export async function lookUp(db: Executor, search: string, environment: string): Promise<string[]> {
  if (email.test(search)) return membersPartners(db, search.toLowerCase());
  if (path.test(search)) return atPath(db, search, environment);
  const found = [...(await withClient(db, search)), ...(await withRequest(db, search))];
  return [...new Set(found)];
}

async function membersPartners(db: Executor, address: string): Promise<string[]> {
  const rows = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("memberships.partner_id as id")
    .where("users.email", "=", address)
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

async function withClient(db: Executor, clientId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("connections")
    .select("partner_id as id")
    .where("client_id", "=", clientId)
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** The history of people has no partner of that name. */
async function withRequest(db: Executor, requestId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("history")
    .innerJoin("partners", "partners.id", "history.partner_id")
    .select("partners.id")
    .distinct()
    .where("history.request_id", "=", requestId)
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Reads what is known of every connection: rare enough, and a path is no beginning of a word. */
async function atPath(db: Executor, wished: string, environment: string): Promise<string[]> {
  const wanted = wished.replace(/[\\%_]/g, (sign) => `\\${sign}`);
  const rows = await db
    .selectFrom("confirmed_configurations as confirmed")
    .innerJoin("connections", "connections.id", "confirmed.connection_id")
    .select("connections.partner_id as id")
    .where("connections.environment", "=", environment)
    .where(
      sql<boolean>`confirmed.snapshot_json like ${`%"callbackUrl":"http%${wanted}%`} escape '\\'`,
    )
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}
