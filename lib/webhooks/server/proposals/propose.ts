import "server-only";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { takesTwo } from "@/lib/platform/access/approvers";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { Database, ProposalRow } from "@/lib/platform/database/tables";
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { recordHistory, type Actor } from "@/lib/history/server/record/record";
import { encryptFor } from "@/lib/platform/secrets/field";
import { Secret } from "@/lib/platform/runtime/secret";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { withoutTypedFingerprint } from "@/lib/webhooks/server/save/save-record";
import type { RemoteState } from "@/lib/webhooks/server/read/remote-state";
import { canonicalUrl, find, type WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import { typesOf } from "@/lib/webhooks/model/types";
import { sql, type Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { aboutRow, endRow, pendingRows, proposalOf, valueIdentity } from "./stored";

/** How long a proposal waits, milliseconds. */
const lifeMs = 24 * 60 * 60_000;

/**
 * Whether a save takes a second person: it registers an address in production or changes one, and the partner requires
 * approval for that. Where the service lists a type twice it is not known which address a save changes, so any does.
 */
export async function needsSecondPerson(
  environmentRef: EnvironmentRef,
  desired: WebhookVersions,
  { webhooks }: RemoteState,
): Promise<boolean> {
  if (!env().productionEnvironments.has(environmentRef.environment)) return false;
  const moves = desired.some(({ type, state }) => {
    const webhook = webhooks[type];
    const isSame =
      canonicalUrl(webhook?.callbackUrl ?? "") === canonicalUrl(state?.callbackUrl ?? "");
    return !isSame || webhook?.duplicate === true;
  });
  return moves && (await takesTwo(db(), environmentRef.partnerId));
}

type NewProposal = {
  access: PartnerAccess;
  environment: string;
  request: SaveRequest;
  /** The press of save behind it. */
  operation: string;
  /** The lock of the connection: without it, the browser may have been answered that this press had no effect. */
  lease: Lease;
  actor: Actor;
  requestId: string;
  /** What the service holds, and the desired versions, for the request's types. */
  basis: WebhookVersions;
  desired: WebhookVersions;
};

/**
 * Stores a change for a second person to approve; nothing is sent. It replaces the waiting proposals for any of its
 * types, if the person saw them: otherwise `pending`. Throws `forbidden` for a person whose role has changed.
 * `beforeCommit`: the last step, which nothing is waited for after; what it throws is thrown, and nothing is stored.
 */
export async function propose(
  proposal: NewProposal,
  beforeCommit: () => void,
): Promise<{ id: string } | "pending"> {
  return db()
    .transaction()
    .execute(async (trx) => {
      const { access, environment, request, lease, actor, requestId } = proposal;
      const partnerId = access.partner.id;
      await holdLease(trx, lease);
      await recheckRole(trx, access);
      const types = typesOf(request.type);
      const overlapping = (await pendingRows(trx, partnerId, environment)).filter((row) =>
        typesOf(row.applies_to).some((type) => types.includes(type)),
      );
      const overdue = overlapping.filter((row) => row.overdue);
      const waiting = overlapping.filter((row) => !row.overdue);
      // Before any of them ends: this answer says that nothing was changed.
      if (waiting.some(({ id }) => !request.replaces?.includes(id))) return "pending";
      for (const row of overdue)
        await endRow(trx, row, { state: "expired", actor: null, requestId: null });
      for (const row of waiting) await endRow(trx, row, { state: "replaced", actor, requestId });
      const row = await insert(trx, proposal);
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
          expiresAt: row.expires_at,
        },
      });
      beforeCommit();
      return { id: row.id };
    });
}

async function insert(
  trx: Transaction<Database>,
  { access, environment, request, operation, actor, basis }: NewProposal,
): Promise<ProposalRow> {
  const partnerId = access.partner.id;
  const id = randomUUID();
  const { authorization } = request;
  const value = authorization.action === "replace" ? new Secret(authorization.value) : null;
  return trx
    .insertInto("proposals")
    .values({
      id,
      partner_id: partnerId,
      environment,
      applies_to: request.type,
      url: request.url,
      authorization_action: authorization.action,
      value_ciphertext: value && (await encryptFor(trx, partnerId, valueIdentity(id), value)),
      basis_json: JSON.stringify(basis),
      confirmed: request.confirm ? 1 : 0,
      reason: request.reason ?? null,
      author_id: actor.id,
      author_name: actor.name,
      created_at: Date.now(),
      expires_at: sql<number>`${timeOfDay()} + cast(${lifeMs} as integer)`,
      state: "pending",
      operation_id: operation,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
