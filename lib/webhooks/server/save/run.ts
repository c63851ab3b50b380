import "server-only";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf } from "@/lib/history/server/record/record";
import type { PartnerAccess } from "@/lib/platform/access/require";
import type { Deadline } from "@/lib/platform/runtime/deadline";
import type { Lease } from "@/lib/platform/database/lease";
import type { ConfirmedFetch } from "@/lib/webhooks/server/read/confirm";
import type { LastKnown } from "@/lib/webhooks/server/read/last-known";
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import type { FetchedState, DesiredChange } from "./plan";
import { proposalOf } from "@/lib/changes/server/proposals";
import type { Approval } from "@/lib/webhooks/server/proposals/webhook-proposals";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { SaveResult, SaveStep, WaitingResult } from "@/lib/webhooks/model/configuration";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import type { Intent } from "./save-record";
import type { WebhookVersions } from "@/lib/webhooks/model/webhook-version";

/** One save while it holds the lock. */
export type SaveRun = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  lease: Lease;
  request: Omit<SaveRequest, "revision" | "operation">;
  operation: string;
  context: RequestContext;
  /** Ten seconds for all steps together. Monotonic: a jump of the wall clock changes nothing. */
  deadline: Deadline;
  /** The approved proposal; null for a save that needs no approval. */
  approval: Approval | null;
  /** The state known so far: shown while the person waits, and answered when the save does not end in time. */
  progress: SaveProgress;
};

export type SaveProgress = {
  step: SaveStep;
  /** Sent or stored for approval, perhaps: it cannot be called not saved any more. */
  mayTakeEffect: boolean;
  /** What was recorded of it, without the configuration that is being read for the answer. */
  recorded: { result: SaveResult | WaitingResult; fault: Fault | null } | null;
  /** Its time was over, and it was answered with what was recorded, or as `mayTakeEffect` says. */
  givenUp: boolean;
};

/** What the service holds when the save begins. */
export type FetchedForSave = FetchedState & { known: LastKnown; versions: WebhookVersions };

export function desiredIn(
  { request }: SaveRun,
  plan: readonly Pick<DesiredChange, "type" | "desired">[],
): WebhookVersions {
  const typed = request.authorization.action === "replace";
  return plan.map(({ type, desired }) => ({ type, state: desired, ...(typed && { typed }) }));
}

/** Each type's version before and its desired one, as the intent records them. */
export function intentOf(
  run: SaveRun,
  plan: readonly Pick<DesiredChange, "type" | "before" | "known" | "desired">[],
): Intent {
  const { connectionRef, context, operation, approval } = run;
  return {
    partnerId: connectionRef.partnerId,
    environment: connectionRef.environment,
    connection: connectionRef.connection,
    id: operation,
    appliesTo: run.request.type,
    requestId: context.requestId,
    actor: actorOf(run.access.viewer, run.context),
    ...(approval && { proposal: proposalOf(approval.row) }),
    before: plan.map(({ type, before, known }) => ({ type, state: before, known })),
    desired: desiredIn(run, plan),
  };
}

export function knownAfter(known: LastKnown, { confirmed }: ConfirmedFetch): LastKnown {
  return { ...known, confirmed, epoch: confirmed.epoch };
}
