import "server-only";
import {
  aboutRow,
  findProposal,
  proposalOf,
  propose,
  proposedSecret,
  readWaiting,
  requireTwoPeople,
  requireWaiting,
  type ProposalRow,
  type Waiting,
} from "@/lib/changes/server/proposals";
import { recordHistory, type Actor } from "@/lib/history/server/record/record";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { requiresFourEyes } from "@/lib/platform/access/approvers";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { Secret } from "@/lib/platform/runtime/secret";
import { shownFingerprints, type ShowFingerprint } from "@/lib/platform/secrets/partner-mac";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { askedOf, proposedSchema } from "@/lib/webhooks/model/asked";
import { webhookOf } from "@/lib/webhooks/model/registered";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { typesOf, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import {
  canonicalUrl,
  find,
  isSameAddress,
  sameVersion,
  type WebhookVersions,
} from "@/lib/webhooks/model/webhook-version";
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import type { DesiredChange, FetchedState } from "@/lib/webhooks/server/save/plan";
import {
  askedIn,
  versionsIn,
  withoutTypedFingerprint,
} from "@/lib/webhooks/server/save/save-record";

export const proposedUrl = (row: ProposalRow) => askedIn(row).url;

/**
 * Whether a save takes a second person: it registers an address in production or changes one, and the partner requires
 * approval for that. Compares with the known address as well as the shown one, which may come from a lagging replica,
 * and with those of saves that may still take effect. Where the service lists a type twice, it is unknown which address
 * a save changes, so any save does.
 */
export async function needsSecondPerson(
  executor: Executor,
  environmentRef: EnvironmentRef,
  plan: readonly Pick<DesiredChange, "type" | "url" | "before">[],
  { remote: { webhooks }, saves }: Pick<FetchedState, "remote" | "saves">,
): Promise<boolean> {
  if (!env().productionEnvironments.has(environmentRef.environment)) return false;
  const moves = plan.some(({ type, url, before }) => {
    const asked = saves.flatMap(({ desired }) => find(desired, type)?.callbackUrl ?? []);
    const present = [webhooks[type]?.callbackUrl, before?.callbackUrl, ...asked];
    const isSame = present.every((address) => isSameAddress(address ?? "", url));
    return !isSame || webhooks[type]?.duplicate === true;
  });
  return moves && (await requiresFourEyes(executor, environmentRef.partnerId));
}

type NewProposal = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  request: SaveRequest;
  /** The id of the request to save, which a retry repeats. */
  operation: string;
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
  const { access, connectionRef, request, operation, lease, actor, requestId } = proposal;
  const { authorization } = request;
  return db()
    .transaction()
    .execute(async (trx) => {
      await holdLease(trx, lease);
      const row = await propose(trx, {
        access,
        environment: connectionRef.environment,
        id: operation,
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
            after: withoutTypedFingerprint(desired),
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
  proposalId: string,
  approverId: string,
): Promise<Approval> {
  const row = requireWaiting(await findProposal(db(), environmentRef, proposalId));
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
  return isHere && basis.every(({ type, state }) => sameVersion(state, find(now, type)));
}

function isOfClient(row: ProposalRow, { baseUrl, clientId }: PartnerConnection): boolean {
  return row.base_url === baseUrl && row.client_id === clientId;
}

/** The configuration with its waiting proposals, and whether changing it takes approval. */
export async function withProposals(
  configuration: Configuration,
  connection: PartnerConnection,
): Promise<Configuration> {
  const { partner, environment } = configuration;
  const waiting = await readWaiting({ partnerId: partner, environment }, "webhooks");
  const show = await shownFingerprints(db(), partner);
  return {
    ...configuration,
    fourEyes:
      env().productionEnvironments.has(environment) && (await requiresFourEyes(db(), partner)),
    proposals: waiting.map((each) => {
      const proposal = present(each, configuration, show);
      return { ...proposal, outdated: proposal.outdated || !isOfClient(each.row, connection) };
    }),
  };
}

/** Chosen field by field: no secret is passed on. */
function present(
  { row, shown }: Waiting,
  configuration: Configuration,
  show: ShowFingerprint,
): Proposal {
  const asked = proposedSchema.parse(askedIn(row));
  const basis = typesOf(asked.type).map((type) => {
    const state = find(versionsIn(row.before_json), type);
    return {
      type,
      before: state && {
        ...state,
        fingerprint: state.fingerprint && show(row.environment, state.fingerprint),
      },
    };
  });
  const outdated = basis.some(({ type, before }) => !isAs(configuration, type, before));
  return { ...shown, ...asked, basis, outdated };
}

function isAs(
  configuration: Configuration,
  type: WebhookType,
  before: Proposal["basis"][number]["before"],
): boolean {
  const now = webhookOf(configuration, type);
  if (!now || !before) return !now && !before;
  const { fingerprint, hidden, conflict = false } = now.authorization;
  return (
    canonicalUrl(now.callbackUrl) === canonicalUrl(before.callbackUrl) &&
    fingerprint === before.fingerprint &&
    hidden === before.hidden &&
    conflict === (before.conflict ?? false)
  );
}
