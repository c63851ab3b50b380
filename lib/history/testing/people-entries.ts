import type { Db } from "@/lib/platform/database/open";
import { people } from "@/lib/platform/secrets/people";
import { notesKey } from "@/lib/history/server/verify/state/note";

/** What stands in the history of the people of the installation, oldest first, of one person or of all. */
export async function peopleEntries(db: Db, actorId?: string) {
  const rows = await db
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", people)
    .orderBy("seq")
    .execute();
  return rows
    .filter((row) => actorId === undefined || row.actor_id === actorId)
    .map((row) => ({
      kind: row.kind,
      outcome: row.outcome,
      who: row.actor_id,
      from: row.client_address,
      requestId: row.request_id,
      detail: shownDetail(row.detail_json),
    }));
}

/** Without the notes of rows, which no screen shows (lib/history/state has their tests). */
export function shownDetail(json: string): unknown {
  const detail = JSON.parse(json) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(detail).filter(([key]) => key !== notesKey));
}

/** The same in short: each entry's kind and, where it has one, its outcome. */
export async function peopleKinds(db: Db, actorId?: string): Promise<string[]> {
  const entries = await peopleEntries(db, actorId);
  return entries.map(({ kind, outcome }) => (outcome === null ? kind : `${kind}: ${outcome}`));
}
