import "server-only";
import { type PartnerAccess, requirePartner } from "@/lib/platform/access/require";
import { isSteppedUp, stepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import {
  type RemoteState,
  type RemoteValues,
  fetchRemoteState,
  type ConnectionRef,
  revisionOf,
  versionOf,
} from "@/lib/webhooks/server/read/remote-state";
import { loadLastKnown } from "@/lib/webhooks/server/read/last-known";
import { problemInitOf } from "@/lib/webhooks/server/read/present";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";
import type { Revealed, RevealRequest } from "@/lib/webhooks/model/revealed";
import { type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { type WebhookType, webhookTypes } from "@/lib/webhooks/model/types";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { refundTo, take } from "@/lib/platform/limits/limits";
import type { Database } from "@/lib/platform/database/tables";
import { newestOf } from "@/lib/history/server/read/find";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf, recordHistory } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";

/**
 * `device`: the browser's token of an earlier sign-in, as it sent it; strangers' guesses then do not hold the person
 * up.
 */
type RevealOrigin = RevealContext["origin"] & { device?: string | undefined };

/**
 * The Authorization value of one callback, as the payment service holds it now. It reaches a browser in no other way.
 * In this order: the person is an admin and stepped up, the reveal is counted, the value is read, the partner's history
 * records it, and the value is shown. Gancho keeps nothing of it, and shows nothing if recording fails.
 *
 * Throws `not_found`, `not_connected`, `reauthentication_required`, `no_password`,
 * `invalid_fields` for a wrong password, `too_many_requests`, `reveal_limit`, or the service's fault.
 * It does not protect against somebody who has both the session and the password.
 */
export async function revealAuthorization(
  access: PartnerAccess<"authorization.reveal">,
  { environment, type: typeName }: { environment: string; type: string },
  request: RevealRequest,
  origin: RevealOrigin,
  now = Date.now(),
): Promise<Revealed> {
  const type = webhookTypes.find((known) => known === typeName);
  if (!type) throw new ProblemError("not_found");
  const connectionRef = await requireConnectionRef(access, environment);
  const context = { access, connectionRef, type, origin };

  await requirePasswordAgain(context, request.password, now);
  await requireRevealQuota(context, now);
  const known = await loadLastKnown(db(), connectionRef);
  const fetched = await fetchRemoteState(connectionRef, known, { requestId: origin.requestId });
  await recheckAccess(context);
  if (!fetched.ok) {
    const problem = fetched.fault.code;
    await recordCounted(context, { outcome: "not_read", fingerprint: null, problem });
    throw new ProblemError(fetched.fault.code, problemInitOf(fetched.fault));
  }
  const state = versionOf(fetched.remote.webhooks[type]);
  const { absence, authorization } = valueIn(fetched, state, type);
  const fingerprint = state?.fingerprint ?? null;
  const show = await shownFingerprints(db(), connectionRef.partnerId);
  const answer: Revealed = {
    type,
    authorization,
    absence,
    fingerprint: fingerprint && show(connectionRef.environment, fingerprint),
    revision: await revisionOf(db(), connectionRef, fetched.remote),
    readAt: new Date().toISOString(),
  };
  await recordCounted(context, {
    outcome: absence ?? "revealed",
    fingerprint,
    problem: null,
  });
  return answer;
}

/** A session alone reveals nothing: it may be stolen. */
async function requirePasswordAgain(
  context: RevealContext & { origin: RevealOrigin },
  password: string | undefined,
  now: number,
): Promise<void> {
  const { session } = context.access;
  if (!session) throw new ProblemError("signed_out");
  if (password !== undefined) {
    const given = {
      email: context.access.viewer.email,
      password,
      requestId: context.origin.requestId,
      clientAddress: context.origin.clientAddress,
      device: context.origin.device,
    };
    const isDemo = env().mode === "demo";
    const result = await stepUp(db(), session, { by: "password", given }, { isDemo, now });
    if (result.outcome === "given") return;
    if (result.outcome === "over") throw new ProblemError("reauthentication_required");
    if (result.outcome === "no_password") throw new ProblemError("no_password");
    if (result.outcome === "throttled") throw throttled(result.retryAfterSeconds);
    if (result.outcome === "wrong") {
      await db()
        .transaction()
        .execute((trx) =>
          append(trx, context, { outcome: "wrong_password", fingerprint: null, problem: null }),
        );
      throw wrongPassword();
    }
  }
  if (!isSteppedUp(session, now)) throw new ProblemError("reauthentication_required");
}

/** Counts a reveal before anything is read, so that many at once cannot slip past the count. Throws `reveal_limit`. */
async function requireRevealQuota(context: RevealContext, now: number): Promise<void> {
  const retryAfter = await take(db(), [reveals(context.access.viewer.id)], now);
  if (retryAfter === null) return;
  await recordLimited(context);
  throw new ProblemError("reveal_limit", { retryable: true, retryAfter });
}

/** The one place that checks a second time: the service takes its time, and an admin may lose the role meanwhile. */
async function recheckAccess(context: RevealContext): Promise<void> {
  try {
    await requirePartner(context.connectionRef.partnerId, "authorization.reveal");
  } catch (error) {
    if (error instanceof ProblemError)
      await recordCounted(context, {
        outcome: "not_allowed",
        fingerprint: null,
        problem: null,
      });
    throw error;
  }
}

function throttled(retryAfter: number): ProblemError {
  return new ProblemError("too_many_requests", { retryable: true, retryAfter });
}

function wrongPassword(): ProblemError {
  const code = "wrong_password";
  const errors = [{ path: "password", code, message: fieldErrorTitles[code] }];
  return new ProblemError("invalid_fields", { errors });
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

/** The value of a reveal, and its requester. */
type RevealContext = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  type: WebhookType;
  origin: RequestContext;
};

type RevealOutcome = {
  outcome:
    | "revealed"
    | "wrong_password"
    | "limited"
    | "not_allowed"
    | "not_read"
    | NonNullable<Revealed["absence"]>;
  fingerprint: string | null;
  problem: string | null;
};

/** Records in the partner's history how a counted one ended. If nothing was shown, it does not count. */
async function recordCounted(context: RevealContext, reveal: RevealOutcome): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      await append(trx, context, reveal);
      if (reveal.outcome !== "revealed") await refundTo(trx, reveals(context.access.viewer.id));
    });
}

/**
 * Records that the hourly limit refused it. Nothing slows down a person who keeps trying, so consecutive refusals
 * within an hour are one entry: else a flood of them would fill a history that nobody can clear.
 */
async function recordLimited(context: RevealContext): Promise<void> {
  const { access, connectionRef } = context;
  await db()
    .transaction()
    .execute(async (trx) => {
      // So that, of many at once, each sees the entry of the one before.
      await lockPerson(trx, access.viewer.id);
      const [newest] = await newestOf(trx, connectionRef.partnerId, access.viewer.id, 1);
      const follows = newest?.kind === "authorization_reveal" && newest.outcome === "limited";
      if (follows && newest.at > Date.now() - hour * 1_000) return;
      await append(trx, context, { outcome: "limited", fingerprint: null, problem: null });
    });
}

async function append(
  trx: Transaction<Database>,
  { access, connectionRef, type, origin }: RevealContext,
  { outcome, fingerprint, problem }: RevealOutcome,
): Promise<void> {
  await recordHistory(trx, {
    partnerId: connectionRef.partnerId,
    environment: connectionRef.environment,
    kind: "authorization_reveal",
    types: [type],
    actor: actorOf(access.viewer, origin),
    requestId: origin.requestId,
    outcome,
    detail: { fingerprint, problem },
  });
}

const hour = 60 * 60;

/** A person who checks a value needs one or two. The count covers all partners, so collecting values takes long. */
const reveals = (userId: string) => ({ key: `reveals by ${userId}`, most: 10, seconds: hour });
