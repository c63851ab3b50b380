import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import * as z from "zod";
import type { HistoryDetail, HistoryKind } from "@/lib/history/model/entry";
import {
  noteSchema,
  readRows,
  type Digest,
  type Note,
  type OwnedRow,
  type Touched,
} from "./guarded";
import { touched } from "./touched-by";

/** Where an entry's detail has its notes: beside the members that screens and exports show. */
export const notesKey = "rowsNow";

type Entry = {
  [Kind in HistoryKind]: {
    kind: Kind;
    partnerId: string;
    environment: string | null;
    actor: { id: string } | null;
    detail: HistoryDetail[Kind];
  };
}[HistoryKind];

const detailSchema = z.object({ [notesKey]: z.array(noteSchema) });

/** An entry's notes. */
export function notesIn({ detail_json }: Pick<HistoryRow, "detail_json">): readonly Note[] {
  if (!detail_json.includes(`"${notesKey}":`)) return [];
  return detailSchema.safeParse(JSON.parse(detail_json)).data?.[notesKey] ?? [];
}

/** Notes the present rows that this entry's kind may have changed. */
export async function notesOf(executor: Executor, entry: Entry): Promise<Note[]> {
  const about = touched(entry);
  if (about.length === 0) return [];
  const digest = await partnerMacs(executor, entry.partnerId, "state");
  const notes: Note[] = [];
  for (const one of about) notes.push(...(await noteOf(executor, entry.partnerId, one, digest)));
  return notes;
}

async function noteOf(
  executor: Executor,
  chain: string,
  { table, owner }: Touched,
  digest: Digest,
): Promise<Note[]> {
  const which = { partners: [chain], ...(owner !== null && { owners: [owner] }) };
  const found = await readRows(executor, table, which, () => digest);
  if (owner !== null) return [{ table, owner, rows: found.map(({ row }) => row) }];
  return [{ table, owner: null, rows: [] }, ...notesByOwner(table, found)];
}

/** One note for each owner of these rows. */
export function notesByOwner(table: string, found: readonly OwnedRow[]): Note[] {
  const notes = new Map<string, Note>();
  for (const { owner, row } of found) {
    const note = notes.get(owner) ?? { table, owner, rows: [] };
    note.rows.push(row);
    notes.set(owner, note);
  }
  return [...notes.values()];
}
