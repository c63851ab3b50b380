import "server-only";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { actorOf } from "@/lib/history/server/record/record";
import { approversOf } from "@/lib/platform/access/approvers";
import { requireEnvironment, requireId, type PartnerAccess } from "@/lib/platform/access/require";
import type { Connection } from "@/lib/connection/model/connection";
import { decideCredentials } from "@/lib/connection/server/decide";
import { findProposal } from "@/lib/connection/server/proposals";
import { requireStrongestStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import { openApproval, pendingRow } from "@/lib/webhooks/server/proposals/approval";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { endRow } from "@/lib/webhooks/server/proposals/stored";
import { approve } from "@/lib/webhooks/server/save/save";

/**
 * Decides a proposal of either kind. Approving a change of webhooks answers as a save does; rejecting or withdrawing
 * one ends it and answers nothing. A decision about credentials answers with the connection. Throws `not_found`,
 * `proposal_over`, `own_proposal`, `forbidden`; approving also throws the problems of a save and of
 * `requireStrongestStepUp`, and `author_may_not`, `no_second_person` and `proposal_stale`.
 */
export async function decideProposal(
  access: PartnerAccess<"webhooks.approve">,
  { environment, proposal }: { environment: string; proposal: string },
  answer: Decision,
  context: RequestContext,
): Promise<SaveResult | WaitingResult | Connection | Record<string, never>> {
  const where = requireEnvironment(environment);
  const environmentRef = { partnerId: access.partner.id, environment: where.name };
  const id = requireId(proposal);
  if (await findProposal(db(), environmentRef, id))
    return decideCredentials(access, where, id, answer, context);
  const { decision, reason } = answer;
  if (decision === "approve") {
    // Before the step-up: nobody should prove their identity only to read that they may not approve this.
    await openApproval(environmentRef, id, access.viewer.id);
    await requireStrongestStepUp(access);
    return approve(access, environmentRef.environment, id, context);
  }
  await db()
    .transaction()
    .execute(async (trx) => {
      await lockPartner(trx, environmentRef.partnerId);
      const row = await pendingRow(trx, environmentRef, id);
      const people = await approversOf(trx, environmentRef.partnerId, { proven: false });
      const person = people.find((candidate) => candidate.id === access.viewer.id);
      const isOwn = row.author_id === access.viewer.id;
      // Every approver may stop a proposal. The author withdraws it, others reject it; an admin may do either.
      if (!person || (decision === "withdraw" && !isOwn && person.role !== "admin"))
        throw new ProblemError("forbidden", { applied: "no" });
      if (decision === "reject" && isOwn) throw new ProblemError("own_proposal", { applied: "no" });
      await endRow(trx, row, {
        state: decision === "reject" ? "rejected" : "withdrawn",
        actor: actorOf(access.viewer, context),
        requestId: context.requestId,
        ...(reason === undefined ? {} : { reason }),
      });
    });
  return {};
}
