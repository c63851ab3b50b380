import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import type { Note } from "./guarded";
import { notesIn, notesKey } from "./note";

/** Entries that are read at once. */
const batchSize = 500;

/**
 * Which entry of a chain is the last to note each owner's rows. Stores a position for each owner, and none of the
 * notes.
 */
export class LastNotes {
  readonly #chain: string;
  readonly #tables = new Map<string, Map<string, number>>();
  #seq = 0;

  constructor(chain: string) {
    this.#chain = chain;
  }

  /** Reads the entries recorded since the last call. */
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

  /**
   * The notes of these entries that no later one replaces, without those of absent rows, which nothing needs to say.
   */
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
