import "server-only";
import { db } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import { canonicalRow } from "./chain";

/**
 * The positions among these entries of one partner that are as recorded: unedited, and after the very entry that they
 * were recorded after. Does not check whether entries after them are missing; `verifyChain` does.
 */
export async function intactPositions(
  partnerId: string,
  rows: readonly HistoryRow[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const mac = await partnerMacs(db(), partnerId, "history");
  const before = await macsBefore(partnerId, rows);
  return new Set(
    rows.flatMap((row) => {
      const macBefore = row.seq === 1 ? "" : before.get(row.seq - 1);
      const isIntact = macBefore !== undefined && mac(canonicalRow(row, macBefore)) === row.mac;
      return isIntact ? [row.seq] : [];
    }),
  );
}

async function macsBefore(partnerId: string, rows: readonly HistoryRow[]) {
  const known = new Map(rows.map((row) => [row.seq, row.mac]));
  const unknown = rows.map((row) => row.seq - 1).filter((seq) => seq > 0 && !known.has(seq));
  if (unknown.length > 0) {
    const others = await db()
      .selectFrom("history")
      .select(["seq", "mac"])
      .where("partner_id", "=", partnerId)
      .where("seq", "in", unknown)
      .execute();
    for (const other of others) known.set(other.seq, other.mac);
    // The entry before the first that was not removed. It need not be a genuine one here: no other text makes the seal
    // come right.
    if (unknown.some((seq) => !known.has(seq))) {
      const checkpoint = await db()
        .selectFrom("history_checkpoints")
        .select(["seq", "mac"])
        .where("partner_id", "=", partnerId)
        .executeTakeFirst();
      if (checkpoint) known.set(Number(checkpoint.seq), checkpoint.mac);
    }
  }
  return known;
}
