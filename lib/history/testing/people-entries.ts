import { withNames } from "@/lib/history/model/names";
import { namesIn } from "@/lib/history/server/read/names";
import type { HistoryKind } from "@/lib/history/model/entry";
import { db, type Db } from "@/lib/platform/database/open";
import { people } from "@/lib/platform/secrets/model/people";

/** The entries in the history of the people of the installation, oldest first, of one person or of all. */
export async function peopleEntries(db: Db, actorId?: string) {
  const rows = await db
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", people)
    .orderBy("seq")
    .execute();
  return (await readable(db, rows))
    .filter((row) => actorId === undefined || row.actor_id === actorId)
    .map((row) => ({
      kind: row.kind,
      outcome: row.outcome,
      who: row.actor_id,
      from: row.client_address,
      requestId: row.request_id,
      detail: JSON.parse(row.detail_json) as unknown,
    }));
}

/** The same in short: each entry's kind and, where it has one, its outcome. */
export async function peopleKinds(db: Db, actorId?: string): Promise<string[]> {
  const entries = await peopleEntries(db, actorId);
  return entries.map(({ kind, outcome }) => (outcome === null ? kind : `${kind}: ${outcome}`));
}

/** A partner's entries, oldest first, of one kind or of all. */
export async function historyOf(partnerId: string, kind?: HistoryKind) {
  const rows = await db()
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind ?? ""))
    .orderBy("seq")
    .execute();
  // Untyped, as JSON: a test says what it expects.
  return (await readable(db(), rows)).map((row) => ({
    ...row,
    detail: JSON.parse(row.detail_json) as Record<string, unknown>,
  }));
}

type Recorded = { actor_id: string | null; detail_json: string };

/** Rows with the names that their ids have today. */
async function readable<Row extends Recorded>(
  db: Db,
  rows: readonly Row[],
): Promise<(Row & { actor_name: string | null })[]> {
  const details = rows.map(({ detail_json }) => JSON.parse(detail_json) as unknown);
  const actors = rows.flatMap(({ actor_id }) => actor_id ?? []);
  const nameOf = await namesIn(db, actors, details);
  return rows.map((row, at) => ({
    ...row,
    actor_name: row.actor_id && nameOf({ of: "user", id: row.actor_id }, "name"),
    detail_json: JSON.stringify(withNames(details[at], (_, owner, field) => nameOf(owner, field))),
  }));
}
