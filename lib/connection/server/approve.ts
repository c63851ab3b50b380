import "server-only";
import { proposedSecret, requireTwoPeople, type ProposalRow } from "@/lib/changes/server/proposals";
import { actorOf } from "@/lib/history/server/record/record";
import { connectionOf } from "@/lib/partners/server/connection";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { consumeCheckTurn } from "./check";
import { proposedIn } from "./proposals";
import { refused, switchTo } from "./replace";
import type { Environment } from "./stored";

/**
 * Approves proposed credentials: tries them once more and puts them in use, as replacing them alone does. Throws
 * `own_proposal`, `forbidden`, `author_may_not`, `no_second_person`, `proposal_stale`, `too_many_requests`,
 * `save_in_progress`, the problems of `requireStepUp`, or the fault of the credentials, which then go on
 * waiting.
 */
export async function approveCredentials(
  access: PartnerAccess,
  environment: Environment,
  row: ProposalRow,
  context: RequestContext,
): Promise<void> {
  const environmentRef = { partnerId: access.partner.id, environment: environment.name };
  await requireTwoPeople(db(), row, access.viewer.id);
  await requireStepUp(access);
  const before = await connectionOf(environmentRef.partnerId, environment);
  const proposed = proposedIn(row);
  if (before?.version !== proposed.baseVersion)
    throw new ProblemError("proposal_stale", { applied: "no" });
  const secret = proposed.secretReplaced ? await proposedSecret(row) : null;
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
  // If the author insisted, the approver has seen that they do not work; otherwise that is news to both.
  if (fault && proposed.fault === null) throw await refused(check, candidate, fault);
  const run = { access, candidate, before, secretReplaced: secret !== null, fault, context: check };
  if (!(await switchTo({ ...run, proposal: row })))
    throw new ProblemError("proposal_stale", { applied: "no" });
}
