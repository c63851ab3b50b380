import "server-only";
import { lockPartner } from "@/lib/access/lock-partner";
import type { Db } from "@/lib/db/open";
import { recordHistory } from "@/lib/history/record";

/**
 * Switches four-eyes approval off for a partner in which no two admins are left who could. For whoever runs the
 * installation, at its own machine; the partner's history tells. Where it was not on, nothing is changed.
 */
export async function liftFourEyes(
  db: Db,
  partnerId: string,
): Promise<"lifted" | "not_on" | "no_partner"> {
  return db.transaction().execute(async (trx) => {
    await lockPartner(trx, partnerId);
    const partner = trx.selectFrom("partners").select("id").where("id", "=", partnerId);
    if (!(await partner.executeTakeFirst())) return "no_partner";
    const { numDeletedRows } = await trx
      .deleteFrom("four_eyes")
      .where("partner_id", "=", partnerId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return "not_on";
    await recordHistory(trx, {
      partnerId,
      environment: null,
      kind: "four_eyes_changed",
      types: [],
      actor: null,
      requestId: null,
      outcome: "lifted",
      detail: { asker: null },
    });
    return "lifted";
  });
}
