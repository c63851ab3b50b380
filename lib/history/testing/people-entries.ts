import type { Db } from "@/lib/platform/database/open";
import { openingOf } from "@/lib/platform/secrets/person-keys";
import { people } from "@/lib/platform/secrets/people";

/** The entries in the history of the people of the installation, oldest first, of one person or of all. */
export async function peopleEntries(db: Db, actorId?: string) {
  const rows = await db
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", people)
    .orderBy("seq")
    .execute();
  return (await readable(db, people, rows))
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

type Sealed = { actor_name?: string | null; client_address?: string | null; detail_json?: string };

/** Rows of one chain as recorded, but with names and addresses as they were before they were sealed. */
export async function readable<Row extends Sealed>(
  db: Db,
  chain: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const text = JSON.stringify(rows);
  const open = await openingOf(db, chain, [text]);
  // JSON escapes no character of a sealed text; within a detail its quotes have a backslash.
  const opened = text
    .replace(/\\"(sealed:[^"\\]+)\\"/g, (_, sealed: string) =>
      JSON.stringify(JSON.stringify(open(sealed))).slice(1, -1),
    )
    .replace(/"(sealed:[^"\\]+)"/g, (_, sealed: string) => JSON.stringify(open(sealed)));
  return JSON.parse(opened) as Row[];
}
