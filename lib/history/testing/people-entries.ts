import { withNames } from "@/lib/history/model/names";
import { namesIn } from "@/lib/history/server/read/names";
import type { HistoryKind } from "@/lib/history/model/entry";
import { db, type Db } from "@/lib/platform/database/open";
import { people } from "@/lib/platform/secrets/model/people";

/** The entries in the history of the people of the installation, oldest first, of one person or of all. */
export const peopleEntries = async (db: Db, actorId?: string) =>
  (await rowsOf(db, people))
    .filter((row) => actorId === undefined || row.actor_id === actorId)
    .map((row) => ({
      kind: row.kind,
      outcome: row.outcome,
      who: row.actor_id,
      from: row.client_address,
      requestId: row.request_id,
      detail: JSON.parse(row.detail_json) as unknown,
    }));

/** The same in short: each entry's kind and, where it has one, its outcome. */
export async function peopleKinds(db: Db, actorId?: string): Promise<string[]> {
  const entries = await peopleEntries(db, actorId);
  return entries.map(({ kind, outcome }) => (outcome === null ? kind : `${kind}: ${outcome}`));
}

/** A partner's entries, oldest first, of one kind or of all. */
export const historyOf = async (partnerId: string, kind?: HistoryKind) =>
  (await rowsOf(db(), partnerId))
    .filter((row) => kind === undefined || row.kind === kind)
    .map((row) => ({
      ...row,
      // Untyped, as JSON: a test says what it expects.
      detail: JSON.parse(row.detail_json) as Record<string, unknown>,
    }));

/** All of one history, oldest first, with the names that their ids have today. */
async function rowsOf(db: Db, partnerId: string) {
  const chain = db.selectFrom("history").selectAll().where("partner_id", "=", partnerId);
  const rows = await chain.orderBy("seq").execute();
  const details = rows.map(({ detail_json }) => JSON.parse(detail_json) as unknown);
  const actors = rows.flatMap(({ actor_id }) => actor_id ?? []);
  const nameOf = await namesIn(db, partnerId, actors, details);
  return rows.map((row, at) => ({
    ...row,
    actor_name: row.actor_id && nameOf({ of: "user", id: row.actor_id }, "name"),
    detail_json: JSON.stringify(withNames(details[at], (_, owner, field) => nameOf(owner, field))),
  }));
}
