import "server-only";
import { approversOf } from "@/lib/access/approvers";
import { lockPartner } from "@/lib/access/lock-partner";
import { requireEnvironment, requireId, requirePartner } from "@/lib/access/require";
import { requireStepUp } from "@/lib/auth/step-up";
import { db } from "@/lib/db/open";
import { actorOf, type Origin } from "@/lib/history/origin";
import { ProblemError } from "@/lib/problem";
import { carryOut } from "@/lib/webhooks/save";
import type { SaveResult } from "@/lib/webhooks/configuration";
import { openApproval, pendingRow } from "./approval";
import type { Decision } from "./decision";
import { takeSignature } from "./sign";
import { endRow } from "./stored";

/**
 * What becomes of a proposal. Approving it answers as a save does; the others end it and answer nothing.
 * Throws the problems of `requirePartner`, `not_found`, `proposal_over`, `own_proposal`, `forbidden`; approving throws
 * those of a save, of `requireStepUp` or `takeSignature` besides, `author_may_not`, `no_second_person` and `proposal_stale`.
 */
export async function decideProposal(
  { partner, environment, proposal }: { partner: string; environment: string; proposal: string },
  { decision, passkey }: Decision,
  origin: Origin,
): Promise<SaveResult | Record<string, never>> {
  const access = await requirePartner(partner, "webhooks.approve");
  const place = {
    partnerId: access.partner.id,
    environment: requireEnvironment(environment).name,
  };
  const id = requireId(proposal);
  if (decision === "approve") {
    // Nobody proves who they are only to be told that it is not theirs to approve.
    await openApproval(place, id, access.viewer.id);
    if (!passkey) await requireStepUp();
    const signed = passkey
      ? await takeSignature(access.viewer, { ...place, proposal: id }, passkey, origin)
      : null;
    return carryOut(access, place.environment, id, origin, signed);
  }
  await db()
    .transaction()
    .execute(async (trx) => {
      await lockPartner(trx, place.partnerId);
      const row = await pendingRow(trx, place, id);
      const people = await approversOf(trx, place.partnerId);
      const person = people.find((candidate) => candidate.id === access.viewer.id);
      const isOwn = row.author_id === access.viewer.id;
      // Whoever wants it stopped may stop it; how it is called depends on whose it is.
      if (!person || (decision === "withdraw" && !isOwn && person.role !== "admin"))
        throw new ProblemError("forbidden", { applied: "no" });
      if (decision === "reject" && isOwn) throw new ProblemError("own_proposal", { applied: "no" });
      await endRow(trx, row, {
        state: decision === "reject" ? "rejected" : "withdrawn",
        actor: actorOf(access.viewer, origin),
        requestId: origin.requestId,
      });
    });
  return {};
}
