import "server-only";
import {
  aboutRow,
  findProposal,
  proposalOf,
  propose,
  proposedSecret,
  requireTwoPeople,
  requireWaiting,
  type ProposalRow,
} from "@/lib/changes/server/proposals";
import { recordHistory, type Actor } from "@/lib/history/server/record/record";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { Secret } from "@/lib/platform/runtime/secret";
import { askedOf } from "@/lib/webhooks/model/asked";
import { isCovered } from "@/lib/webhooks/model/proposals/needs-approval";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { find, type WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import { isSame } from "@/lib/webhooks/server/observe/look";
import type { ConnectionRef } from "@/lib/webhooks/server/observe/remote-state";
import { whyRetype } from "@/lib/webhooks/server/observe/retype";
import { withoutTypedFingerprint } from "@/lib/webhooks/server/observe/save-entries";
import { askedIn, versionsIn } from "@/lib/webhooks/server/observe/save-record";
import { addressesOf, type DesiredChange, type ShownState } from "./plan";

/**
 * Whether a save takes a second person: it registers an address in production, changes one or takes a value away, and
 * the partner requires approval for that. Compares with every address that may be in force. Where the service lists a type twice, it is
 * unknown which address a save changes, so any save does. `isRequired`: whether the partner does.
 */
export function needsSecondPerson(
  isRequired: boolean,
  { environment }: EnvironmentRef,
  plan: readonly Pick<DesiredChange, "type" | "url" | "before" | "desired" | "changes">[],
  state: Omit<ShownState, "values">,
): boolean {
  if (!isRequired || !env().productionEnvironments.has(environment)) return false;
  return plan.some(({ type, url, before, desired, changes }) => {
    const webhook = state.remote.webhooks[type];
    // No value is set as far as Gancho knows (R11).
    const hasNone = webhook?.fingerprint === null && whyRetype(type, state) === null;
    return isCovered({
      url,
      addresses: [before?.callbackUrl, ...addressesOf(type, state)],
      isDuplicate: webhook?.duplicate === true,
      removesValue: changes && desired.fingerprint === null && !hasNone,
    });
  });
}

type NewProposal = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  request: SaveRequest;
  /** A retry repeats it. */
  changeId: string;
  /** The lock of the connection: without it, the browser may have got the answer that this save has no effect. */
  lease: Lease;
  actor: Actor;
  requestId: string;
  /** What the service holds, and the desired versions, for the request's types. */
  basis: WebhookVersions;
  desired: WebhookVersions;
};

/**
 * Stores a change for a second person to approve; nothing is sent. Throws `proposal_pending` where one waits that this
 * person had not seen, and `forbidden` for a person whose role has changed. `beforeCommit`: the last step before the
 * commit; if it throws, nothing is stored.
 */
export async function proposeSave(
  proposal: NewProposal,
  beforeCommit: () => void,
): Promise<{ id: string } | "pending"> {
  const { access, connectionRef, request, changeId, lease, actor, requestId } = proposal;
  const { authorization } = request;
  return db()
    .transaction()
    .execute(async (trx) => {
      await holdLease(trx, lease);
      const row = await propose(trx, {
        access,
        environment: connectionRef.environment,
        id: changeId,
        kind: "webhooks",
        appliesTo: request.type,
        connection: connectionRef.connection,
        asked: askedOf(request),
        secret: authorization.action === "replace" ? new Secret(authorization.value) : null,
        versions: { before: proposal.basis, desired: proposal.desired },
        reason: request.reason,
        replaces: request.replaces ?? [],
        actor,
        requestId,
      });
      if (row === "pending") return row;
      await recordHistory(trx, {
        ...aboutRow(row),
        kind: "proposal_made",
        actor,
        requestId,
        outcome: null,
        detail: {
          proposal: proposalOf(row),
          changes: proposal.desired.map((desired) => ({
            type: desired.type,
            before: find(proposal.basis, desired.type),
            after:
              desired.state &&
              withoutTypedFingerprint({ asked: desired.state, typed: desired.typed }),
          })),
          reason: row.reason,
          expiresAt: row.expires_at ?? 0,
        },
      });
      beforeCommit();
      return { id: row.id };
    });
}

/** A proposal that somebody is about to approve. */
export type Approval = {
  row: ProposalRow;
  /** The request to save. Without the author's revision, which is outdated: the basis replaces it. */
  request: Omit<SaveRequest, "revision" | "operation">;
  basis: WebhookVersions;
  /** By the author's current role: an approval gives the author no rights. */
  authorIsAdmin: boolean;
};

/** Throws `not_found`, `proposal_over`, or why these two people cannot do it. */
export async function openApproval(
  environmentRef: EnvironmentRef,
  changeId: string,
  approverId: string,
): Promise<Approval> {
  const row = requireWaiting(await findProposal(db(), environmentRef, changeId));
  if (row.kind !== "webhooks") throw new ProblemError("not_found", { applied: "no" });
  const author = await requireTwoPeople(db(), row, approverId);
  const { authorization: action, ...asked } = askedIn(row);
  const authorization =
    action === "replace" ? { action, value: (await proposedSecret(row)).reveal() } : { action };
  return {
    row,
    request: { ...asked, authorization },
    basis: versionsIn(row.before_json),
    authorIsAdmin: author.role === "admin",
  };
}

/** Whether the service still holds the proposal's basis, for its types, and is read as the same client. */
export function isOnBasis(
  { row, basis }: Approval,
  now: WebhookVersions,
  connection: PartnerConnection,
): boolean {
  const isHere = isOfClient(row, connection);
  return isHere && basis.every(({ type, state }) => isSame(state, find(now, type)));
}

export function isOfClient(row: ProposalRow, { baseUrl, clientId }: PartnerConnection): boolean {
  return row.base_url === baseUrl && row.client_id === clientId;
}
