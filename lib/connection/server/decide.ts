import "server-only";
import { requireTwoPeople, type ProposalRow } from "@/lib/changes/server/proposals";
import { actorOf } from "@/lib/history/server/record/record";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { requireStrongestStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { connectionOf } from "@/lib/partners/server/connection";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import { consumeCheckTurn } from "./check-record";
import { proposedIn, secretOf } from "./proposals";
import { refused } from "./replace";
import type { Environment } from "./stored";
import { switchTo } from "./switch";

/**
 * Approves proposed credentials: tries them once more and puts them in use, as replacing them alone does. Throws
 * `own_proposal`, `forbidden`, `author_may_not`, `no_second_person`, `proposal_stale`, `too_many_requests`,
 * `save_in_progress`, the problems of `requireStrongestStepUp`, or the fault of the credentials: then they go on waiting.
 */
export async function approveCredentials(
  access: PartnerAccess,
  environment: Environment,
  row: ProposalRow,
  context: RequestContext,
): Promise<void> {
  const environmentRef = { partnerId: access.partner.id, environment: environment.name };
  await requireTwoPeople(db(), row, access.viewer.id);
  await requireStrongestStepUp(access);
  const before = await connectionOf(environmentRef.partnerId, environment);
  const proposed = proposedIn(row);
  if (before?.version !== proposed.baseVersion)
    throw new ProblemError("proposal_stale", { applied: "no" });
  const secret = await secretOf(row);
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
  if (fault && proposed.fault === null) throw await refused(check, candidate, fault);
  const run = { access, candidate, before, secretReplaced: secret !== null, fault, context: check };
  if (!(await switchTo({ ...run, proposal: row })))
    throw new ProblemError("proposal_stale", { applied: "no" });
}
