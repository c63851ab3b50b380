import "server-only";
import { consumeCheckTurn } from "./check-record";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { actorOf } from "@/lib/history/server/record/record";
import { approversOf } from "@/lib/platform/access/approvers";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { may } from "@/lib/platform/access/model/roles";
import { requireStrongestStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { connectionOf } from "@/lib/partners/server/connection";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import type { Connection } from "@/lib/connection/model/connection";
import { endProposal, pendingProposal, proposedSecret, requireTwoAdmins } from "./proposals";
import { refused } from "./replace";
import { storedConnection, type Environment } from "./stored";
import { switchTo } from "./switch";

/**
 * Decides proposed credentials; answers with the connection as it is then. Approving tries them once more and puts them
 * in use, as replacing them alone does. Throws `forbidden`, `not_found`, `proposal_over`, `own_proposal`; approving
 * also throws `author_may_not`, `no_second_person`, `proposal_stale`, `too_many_requests`, `save_in_progress`, the
 * problems of `requireStrongestStepUp`, or the fault of the credentials: then they go on waiting.
 */
export async function decideCredentials(
  access: PartnerAccess<"webhooks.approve">,
  environment: Environment,
  proposalId: string,
  { decision, reason }: Decision,
  context: RequestContext,
): Promise<Connection> {
  if (!may(access.role, "connection.write")) throw new ProblemError("forbidden", { applied: "no" });
  if (decision === "approve") await approve(access, environment, proposalId, context);
  else
    await db()
      .transaction()
      .execute(async (trx) => {
        const environmentRef = { partnerId: access.partner.id, environment: environment.name };
        await lockPartner(trx, environmentRef.partnerId);
        const row = await pendingProposal(trx, environmentRef, proposalId);
        const people = await approversOf(trx, environmentRef.partnerId, { proven: false });
        const isAdmin = people.some(({ id, role }) => id === access.viewer.id && role === "admin");
        if (!isAdmin) throw new ProblemError("forbidden", { applied: "no" });
        if (decision === "reject" && row.author_id === access.viewer.id)
          throw new ProblemError("own_proposal", { applied: "no" });
        await endProposal(trx, row, {
          state: decision === "reject" ? "rejected" : "withdrawn",
          actor: actorOf(access.viewer, context),
          requestId: context.requestId,
          ...(reason === undefined ? {} : { reason }),
        });
      });
  return storedConnection(access.partner.id, environment);
}

async function approve(
  access: PartnerAccess,
  environment: Environment,
  proposalId: string,
  context: RequestContext,
): Promise<void> {
  const environmentRef = { partnerId: access.partner.id, environment: environment.name };
  const row = await pendingProposal(db(), environmentRef, proposalId);
  await requireTwoAdmins(db(), row, access.viewer.id);
  await requireStrongestStepUp(access);
  const before = await connectionOf(environmentRef.partnerId, environment);
  if (before?.version !== row.base_version)
    throw new ProblemError("proposal_stale", { applied: "no" });
  const secret = await proposedSecret(row);
  const candidate = {
    ...before,
    version: before.version + 1,
    clientId: row.client_id,
    clientSecret: secret ?? before.clientSecret,
  };
  await consumeCheckTurn(environmentRef.partnerId);
  const result = await partnerApi().check(candidate, { requestId: context.requestId });
  const fault = result.ok ? null : result.fault;
  const actor = actorOf(access.viewer, context);
  const check = { ...environmentRef, actor, requestId: context.requestId };
  // The approver saw that they did not work, where the author insisted; else that is news to both.
  if (fault && row.fault_code === null) throw await refused(check, candidate, fault);
  const run = { access, candidate, before, secretReplaced: secret !== null, fault, context: check };
  if (!(await switchTo({ ...run, proposal: row })))
    throw new ProblemError("proposal_stale", { applied: "no" });
}
