import "server-only";
import type { QuotedBy } from "@/lib/partners/model/page";
import type { Executor } from "@/lib/platform/database/open";
import { sql } from "kysely";
import * as z from "zod/mini";

/** The most partners that a search finds this way. */
const maxFound = 200;

const email = /^[^\s@]+@[^\s@]+$/;
const path = /^\/[^\s]+$/;

/** Whether it can only be an email or a path. */
export function isQuoted(search: string): boolean {
  return email.test(search) || path.test(search);
}

/**
 * The partners with a member's email, a client id, a request's id, or the path of a callback address, each as a whole:
 * what people quote in a ticket, and which of these it is. For staff only: finding a partner by an email reveals that its
 * owner is a member.
 */
export async function findQuoted(
  db: Executor,
  search: string,
  environment: string,
): Promise<Map<string, QuotedBy>> {
  const found = (by: QuotedBy, ids: readonly string[]) => ids.map((id) => [id, by] as const);
  // No stored text contains one, and PostgreSQL rejects a zero byte.
  if (/\p{Cc}/u.test(search)) return new Map();
  if (email.test(search)) return new Map(found("email", await membersPartners(db, search)));
  if (path.test(search)) return new Map(found("path", await atPath(db, search, environment)));
  return new Map([
    ...found("request_id", await withRequest(db, search)),
    ...found("client_id", await withClient(db, search)),
  ]);
}

async function membersPartners(db: Executor, address: string): Promise<string[]> {
  const rows = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("memberships.partner_id as id")
    .where("users.email", "=", address.toLowerCase())
    .limit(maxFound)
    .execute();
  return rows.map(({ id }) => id);
}

async function withClient(db: Executor, clientId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("connections")
    .select("partner_id as id")
    .where("client_id", "=", clientId)
    .limit(maxFound)
    .execute();
  return rows.map(({ id }) => id);
}

/** The history of the people belongs to no partner. */
async function withRequest(db: Executor, requestId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("history")
    .innerJoin("partners", "partners.id", "history.partner_id")
    .select("partners.id")
    .distinct()
    .where("history.request_id", "=", requestId)
    .limit(maxFound)
    .execute();
  return rows.map(({ id }) => id);
}

const registered = z.object({ callbackUrl: z.string() });
const storedSchema = z.object({
  webhooks: z.record(z.string(), registered),
  unrecognised: z.array(registered),
});

/**
 * Matches only the whole path, with or without the query: it may contain a secret, which a search by prefix would
 * reveal character by character. Reads the last known configuration of every connection, since no index has paths; such
 * searches are rare.
 */
async function atPath(db: Executor, wanted: string, environment: string): Promise<string[]> {
  const text = JSON.stringify(wanted).slice(1, -1);
  const ending = text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
  const has = (next: string) =>
    sql<boolean>`confirmed.remote_json like ${`%"callbackUrl":"http%${ending}${next}%`} escape '\\'`;
  const found: string[] = [];
  for (let after: string | undefined = ""; after !== undefined && found.length < maxFound;) {
    const rows: { id: string; connection_id: string; remote_json: string }[] = await db
      .selectFrom("confirmed_configurations as confirmed")
      .innerJoin("connections", "connections.id", "confirmed.connection_id")
      .select(["connections.partner_id as id", "connection_id", "confirmed.remote_json"])
      .where("connections.environment", "=", environment)
      // Narrows down candidates; longer paths and other parts of the row may match, too.
      .where(({ or }) => or([has('"'), has("?")]))
      .where("connection_id", ">", after)
      .orderBy("connection_id")
      .limit(maxFound)
      .execute();
    const there = rows.filter((row) => isAtPath(row.remote_json, wanted));
    found.push(...there.map(({ id }) => id));
    after = rows[maxFound - 1]?.connection_id;
  }
  return found.slice(0, maxFound);
}

function isAtPath(stored: string, wanted: string): boolean {
  const { data } = storedSchema.safeParse(JSON.parse(stored));
  if (!data) return false;
  const { webhooks, unrecognised } = data;
  return [...Object.values(webhooks), ...unrecognised].some(({ callbackUrl }) => {
    if (!URL.canParse(callbackUrl)) return false;
    const { pathname, search } = new URL(callbackUrl);
    return wanted === pathname || wanted === pathname + search;
  });
}
