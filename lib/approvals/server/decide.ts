import "server-only";
import { actorOf } from "@/lib/history/server/record/record";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import type { Connection } from "@/lib/connection/model/connection";
import { approveCredentials } from "@/lib/connection/server/approve";
import { storedConnection } from "@/lib/connection/server/stored";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { withinMs } from "@/lib/platform/database/deadline";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { requireChangeId } from "@/lib/webhooks/server/answer/operation";
import { openApproval } from "@/lib/webhooks/server/save/proposals";
import { approve } from "@/lib/webhooks/server/answer/save";
import { findProposal, requireWaiting, stop } from "@/lib/changes/server/proposals";

/**
 * Decides a proposal of either kind. Approving a change of webhooks answers as a save does; rejecting or withdrawing
 * one ends it and has no answer. A decision about credentials answers with the resulting connection. Throws
 * `not_found`, `proposal_over`, `own_proposal`, `forbidden`; approving also throws the problems of a save or of
 * `approveCredentials`, and those of `requireStepUp`, and `author_may_not`, `no_second_person` and
 * `proposal_stale`.
 */
export async function decideProposal(
  access: PartnerAccess<"webhooks.approve">,
  { environment, proposal }: { environment: string; proposal: string },
  { decision, reason }: Decision,
  context: RequestContext,
): Promise<SaveResult | WaitingResult | Connection | Record<string, never>> {
  const where = requireEnvironment(environment);
  const environmentRef = { partnerId: access.partner.id, environment: where.name };
  const id = requireChangeId(proposal);
  const row = await findProposal(db(), environmentRef, id);
  const isCredentials = row.kind === "credentials";
  if (isCredentials && !may(access.role, "connection.write"))
    throw new ProblemError("forbidden", { applied: "no" });
  requireWaiting(row);
  if (decision !== "approve") {
    const { requestId } = context;
    const actor = actorOf(access.viewer, context);
    await stop(environmentRef, id, { decision, reason }, { actor, requestId });
  } else if (isCredentials) await approveCredentials(access, where, row, context);
  else {
    const { arrivedAt = performance.now() } = context;
    // An approval is answered within the time of a save, however slow the database is.
    await withinMs(arrivedAt + saveTimings.saveMs - performance.now(), async () => {
      // Before the step-up: nobody should prove their identity only to learn that they may not approve this.
      await openApproval(environmentRef, id, access.viewer.id);
      await requireStepUp(access);
    });
    return approve(access, environmentRef.environment, id, context);
  }
  return isCredentials ? storedConnection(access.partner.id, where) : {};
}
