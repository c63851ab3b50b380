import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/schema";
import type { Note } from "./guarded";
import { notesIn, notesKey } from "./note";

/** Entries that are read at once. */
const batchSize = 500;

/**
 * Which entry of a chain says last what the rows of each owner are. Keeps a place for each owner, and nothing of what is
 * noted.
 */
export class LastNotes {
  readonly #chain: string;
  readonly #tables = new Map<string, Map<string, number>>();
  #seq = 0;

  constructor(chain: string) {
    this.#chain = chain;
  }

  /** Takes what was recorded since it was last read. */
  async readOn(executor: Executor): Promise<void> {
    for (;;) {
      const rows = await executor
        .selectFrom("history")
        .select(["seq", "detail_json"])
        .where("partner_id", "=", this.#chain)
        .where("seq", ">", this.#seq)
        .where("detail_json", "like", `%"${notesKey}":%`)
        .orderBy("seq")
        .limit(batchSize)
        .execute();
      for (const row of rows) this.#take(row);
      if (rows.length < batchSize) return;
    }
  }

  #take(row: Pick<HistoryRow, "seq" | "detail_json">): void {
    this.#seq = Number(row.seq);
    for (const { table, owner } of notesIn(row)) {
      const owners = this.#tables.get(table) ?? new Map<string, number>();
      this.#tables.set(table, owners);
      if (owner === null) owners.clear();
      else owners.set(owner, this.#seq);
    }
  }

  /** Of what these entries note, that which no later one says; that there are no rows is what nobody says, too. */
  onlyIn(rows: readonly Pick<HistoryRow, "seq" | "detail_json">[]): Note[] {
    return rows.flatMap((row) =>
      notesIn(row).filter(
        ({ table, owner, rows: noted }) =>
          owner !== null &&
          noted.length > 0 &&
          this.#tables.get(table)?.get(owner) === Number(row.seq),
      ),
    );
  }
}
