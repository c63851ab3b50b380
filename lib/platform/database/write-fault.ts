import "server-only";
import { randomBytes } from "node:crypto";
import type { Db } from "./open";
import { isDatabaseUnavailable, writing } from "./unavailable";

/** However often readiness is asked for, so often a write is tried: while all is well, and while it is not. */
const everyMs = 60_000;
const againMs = 5_000;

/** A few pages' worth: a single row would find room on a full disk, where a page has some left. */
const rows = 200;

/**
 * Why nothing can be written, or null: a full disk still answers every question. Writes that failed for such a reason tell
 * it by themselves; besides, a write that leaves nothing behind is tried now and then. Rejects when the database is away.
 */
export async function writeFault(db: Db): Promise<"disk_full" | "read_only" | null> {
  const state = writing();
  const now = performance.now();
  if (now - state.askedAt < (state.fault ? againMs : everyMs)) return state.fault;
  state.askedAt = now;
  try {
    await tryToWrite(db);
    state.fault = null;
  } catch (error) {
    if (!isDatabaseUnavailable(error) || error.reason === "no_answer") throw error;
    // Somebody else writes, so it can be done; a full disk or the like has noted itself.
  }
  return state.fault;
}

async function tryToWrite(db: Db): Promise<void> {
  const names = Array.from({ length: rows }, () => `probe ${randomBytes(28).toString("hex")}`);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("markers")
      .values(names.map((name) => ({ name, done_at: 0 })))
      .execute();
    await trx.deleteFrom("markers").where("name", "in", names).execute();
  });
}
