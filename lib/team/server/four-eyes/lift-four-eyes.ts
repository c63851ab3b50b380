import "server-only";
import { endProposal, waitingRows } from "@/lib/changes/server/proposals";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { approversOf, takesTwo } from "@/lib/platform/access/approvers";
import type { Db } from "@/lib/platform/database/open";
import { recordHistory } from "@/lib/history/server/record/record";
import { secondAdmins, setFourEyes, switchOff } from "./four-eyes";

type Lifted =
  | { outcome: "lifted" }
  | { outcome: "not_on" }
  | { outcome: "no_partner" }
  /** Two of its admins can do it themselves: these. */
  | { outcome: "two_admins"; names: string[] };

/**
 * Switches four-eyes approval off for a partner that no longer has two admins who could. For the operator of the
 * installation, at its own machine. The partner's history and its Team page say so and why, and its people get a mail.
 * Otherwise changes nothing.
 */
export async function liftFourEyes(db: Db, partnerId: string, reason: string): Promise<Lifted> {
  return db.transaction().execute(async (trx): Promise<Lifted> => {
    await lockPartner(trx, partnerId);
    const partner = trx.selectFrom("partners").select("id").where("id", "=", partnerId);
    if (!(await partner.executeTakeFirst())) return { outcome: "no_partner" };
    if (!(await takesTwo(trx, partnerId))) return { outcome: "not_on" };
    const people = await approversOf(trx, partnerId);
    const first = people.find(({ id }) => secondAdmins(people, id).length > 0);
    if (first) {
      const names = [first, ...secondAdmins(people, first.id)].map(({ name }) => name);
      return { outcome: "two_admins", names };
    }
    await setFourEyes(trx, partnerId, null);
    // It counts no more once two people are required again.
    for (const request of await waitingRows(trx, ...switchOff(partnerId)))
      await endProposal(trx, request, {
        state: request.overdue ? "expired" : "withdrawn",
        actor: null,
        requestId: null,
      });
    await recordHistory(trx, {
      partnerId,
      environment: null,
      kind: "four_eyes_changed",
      types: [],
      actor: null,
      requestId: null,
      outcome: "lifted",
      detail: { asker: null, reason },
    });
    return { outcome: "lifted" };
  });
}
