import "server-only";
import { type PartnerAccess, requirePartner } from "@/lib/platform/access/require";
import { isSteppedUp, requirePasskeyOfOwner } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import {
  type RemoteState,
  type RemoteValues,
  fetchRemoteState,
  type ConnectionRef,
  revisionOf,
  versionOf,
} from "@/lib/webhooks/server/observe/remote-state";
import { loadKnown } from "@/lib/webhooks/server/observe/observed";
import { requireConnectionRef } from "@/lib/webhooks/server/observe/reading";
import { interpret } from "@/lib/webhooks/server/observe/record-look";
import { followedSaves } from "@/lib/webhooks/server/observe/save-record";
import { problemInitOf } from "./configuration";
import type { Revealed } from "@/lib/webhooks/model/revealed";
import { type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { type WebhookType, webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { take } from "@/lib/platform/limits/limits";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";

/**
 * The Authorization value of one callback, as the payment service holds it now. It reaches a browser in no other way.
 * In this order: the person is an admin and stepped up, the reveal is counted, the value is read, the partner's history
 * records it, and the value is shown. Gancho stores none of it, and shows nothing if recording fails.
 *
 * Throws `not_found`, `not_connected`, `reauthentication_required`, `reveal_limit`, or the service's fault. It does not
 * protect against somebody who has both the session and the password.
 */
export async function revealAuthorization(
  access: PartnerAccess<"authorization.reveal">,
  { environment, type: typeName }: { environment: string; type: string },
  origin: RequestContext,
  now = databaseTime(),
): Promise<Revealed> {
  const type = webhookTypes.find((known) => known === typeName);
  if (!type) throw new ProblemError("not_found");
  const connectionRef = await requireConnectionRef(access, environment);
  const context = { access, connectionRef, type, origin };

  await requireProof(access, now);
  await requireRevealQuota(access, now);
  const known = await loadKnown(db(), connectionRef);
  const fetched = await fetchRemoteState(connectionRef, known, { requestId: origin.requestId });
  await recheckAccess(context);
  if (!fetched.ok) {
    const problem = fetched.fault.code;
    await record(context, { outcome: "not_read", fingerprint: null, problem });
    throw new ProblemError(fetched.fault.code, problemInitOf(fetched.fault));
  }
  const saves = known.isFollowed ? await followedSaves(connectionRef.connection) : [];
  const { remote } = interpret(known, fetched, saves);
  const state = versionOf(remote.webhooks[type]);
  const { absence, authorization } = valueIn({ remote, values: fetched.values }, state, type);
  const fingerprint = state?.fingerprint ?? null;
  const show = await shownFingerprints(db(), connectionRef.partnerId);
  const answer: Revealed = {
    type,
    authorization,
    absence,
    fingerprint: fingerprint && show(connectionRef.environment, fingerprint),
    revision: await revisionOf(db(), connectionRef, remote),
    readAt: new Date(databaseTime()).toISOString(),
  };
  await record(context, { outcome: absence ?? "revealed", fingerprint, problem: null });
  return answer;
}

/** A session alone is not enough, however new: it may be stolen. */
async function requireProof({ session }: PartnerAccess, now: number): Promise<void> {
  if (!session) throw new ProblemError("signed_out");
  await requirePasskeyOfOwner(db(), session);
  if (!isSteppedUp(session, now)) throw new ProblemError("reauthentication_required");
}

/**
 * Counts a reveal before anything is read, so that concurrent ones cannot evade the limit. A person who checks a value
 * needs one or two. Covers all partners, so collecting values takes long.
 */
async function requireRevealQuota({ viewer }: PartnerAccess, now: number): Promise<void> {
  const limit = { key: `reveals by ${viewer.id}`, most: 10, seconds: 3_600 };
  const retryAfter = await take(db(), [limit], now);
  if (retryAfter !== null) throw new ProblemError("reveal_limit", { retryable: true, retryAfter });
}

/** Checks access again: an admin may lose the role while the service answers. */
async function recheckAccess(context: RevealContext): Promise<void> {
  try {
    await requirePartner(context.connectionRef.partnerId, "authorization.reveal");
  } catch (error) {
    if (error instanceof ProblemError)
      await record(context, { outcome: "not_allowed", fingerprint: null, problem: null });
    throw error;
  }
}

function valueIn(
  { remote, values }: { remote: RemoteState; values: RemoteValues },
  state: WebhookVersion,
  type: WebhookType,
): Pick<Revealed, "authorization" | "absence"> {
  const webhook = remote.webhooks[type];
  if (!webhook) return { authorization: null, absence: "not_registered" };
  if (webhook.authorizationConflict) return { authorization: null, absence: "conflicting_values" };
  // A placeholder is not the value.
  if (state?.hidden === "masked") return { authorization: null, absence: "not_shown" };
  const value = values[type];
  return value
    ? { authorization: value.reveal(), absence: null }
    : { authorization: null, absence: "not_set" };
}

/** A reveal and its requester. */
type RevealContext = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  type: WebhookType;
  origin: RequestContext;
};

type RevealOutcome = {
  outcome: "revealed" | "not_allowed" | "not_read" | NonNullable<Revealed["absence"]>;
  fingerprint: string | null;
  problem: string | null;
};

/** Records the outcome in the partner's history. */
async function record(
  { access, connectionRef, type, origin }: RevealContext,
  { outcome, fingerprint, problem }: RevealOutcome,
): Promise<void> {
  await db()
    .transaction()
    .execute((trx) =>
      recordHistory(trx, {
        ...entryBase(access, origin),
        environment: connectionRef.environment,
        kind: "authorization_reveal",
        types: [type],
        outcome,
        detail: { fingerprint, problem },
      }),
    );
}
