import "server-only";
import { randomBytes } from "node:crypto";
import type { Db } from "./open";
import { isDatabaseUnavailable, writing } from "./unavailable";

/** The interval of trial writes, however often readiness is requested: while all is well, and while it is not. */
const everyMs = 60_000;
const againMs = 5_000;

/** A few pages' worth: a single row would find room on a full disk, where a page has some left. */
const rows = 200;

/**
 * Why nothing can be written, or null: a full disk still answers every query. Uses the writes that failed for such a
 * reason, and otherwise tries a write now and then that leaves nothing behind. Rejects when the database is
 * unavailable.
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
    // Another process writes, so writing works; a full disk and the like have been recorded.
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
