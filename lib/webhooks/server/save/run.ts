import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import type { Lease } from "@/lib/platform/database/lease";
import type { ConfirmedFetch } from "@/lib/webhooks/server/read/confirm";
import type { LastKnown } from "@/lib/webhooks/server/read/last-known";
import type { Place } from "@/lib/webhooks/server/read/remote-state";
import type { FetchedState, DesiredChange } from "./plan";
import { proposalFields, type Approval } from "@/lib/webhooks/server/proposals/approval";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import type { Intent } from "./save-record";
import type { WebhookVersions } from "@/lib/webhooks/model/webhook-version";

/** A save's ten seconds, shared among its steps. Monotonic: a jumping wall clock changes nothing. */
type Deadline = {
  /** On `performance.now()`. */
  endsAt: number;
  remaining: () => number;
};

export function deadlineIn(ms: number): Deadline {
  const endsAt = performance.now() + ms;
  return { endsAt, remaining: () => Math.max(0, Math.round(endsAt - performance.now())) };
}

/** Where a save came from; goes into the history. */
export type SaveContext = { requestId: string; clientAddress: string | null };

/** One save while it holds the lock. */
export type SaveRun = {
  access: PartnerAccess;
  place: Place;
  lease: Lease;
  request: Omit<SaveRequest, "revision" | "operation">;
  operation: string;
  context: SaveContext;
  deadline: Deadline;
  /** The approved proposal; null for a save that needs no approval. */
  approval: Approval | null;
  /** What whoever waits for the answer must know when it does not come in time. */
  progress: { mayHaveLeft: boolean; givenUp: boolean };
};

/** What the service holds as the save begins. */
export type FetchedForSave = FetchedState & { known: LastKnown; versions: WebhookVersions };

export function actorOf({ access: { viewer }, context }: SaveRun) {
  return { id: viewer.id, name: viewer.name, clientAddress: context.clientAddress };
}

export function desiredIn(
  { request }: SaveRun,
  plan: readonly Pick<DesiredChange, "type" | "desired">[],
): WebhookVersions {
  const typed = request.authorization.action === "replace";
  return plan.map(({ type, desired }) => ({ type, state: desired, ...(typed && { typed }) }));
}

/** The intent's own words for what each type was and is to become. */
export function intentOf(
  run: SaveRun,
  plan: readonly Pick<DesiredChange, "type" | "before" | "desired">[],
  { fidelity }: Pick<LastKnown, "fidelity">,
): Intent {
  const { place, context, operation, approval } = run;
  return {
    partnerId: place.partnerId,
    environment: place.environment,
    connection: place.connection,
    operation,
    requestId: context.requestId,
    actor: actorOf(run),
    ...proposalFields(approval),
    before: plan.map(({ type, before }) => ({
      ...{ type, state: before },
      proven: fidelity === "proven",
    })),
    desired: desiredIn(run, plan),
  };
}

export function knownAfter(known: LastKnown, { confirmed, fidelity }: ConfirmedFetch): LastKnown {
  return { ...known, confirmed, fidelity, epoch: confirmed.epoch };
}

/** How long after the one before each fetch begins: a service may need a moment to show what it took. */
export const fetchAgainAfterMs = [0, 600, 1_800];
