import "server-only";
import { requirePartner } from "@/lib/platform/access/require";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { isSteppedUp, stepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import type { Current } from "@/lib/webhooks/server/read/current";
import { loadLastKnown } from "@/lib/webhooks/server/read/confirmed";
import { problemInitOf } from "@/lib/webhooks/server/save/fault-problem";
import { fetchRemoteState } from "@/lib/webhooks/server/read/look";
import { placeOf } from "@/lib/webhooks/server/read/read";
import { recordLimited, recordReveal, type RevealContext } from "./record-reveal";
import { consumeReveal } from "./reveal-turn";
import type { Revealed, RevealRequest } from "@/lib/webhooks/model/revealed";
import { revisionOf } from "@/lib/webhooks/server/read/snapshot";
import { versionOf, type WebhookVersion } from "@/lib/webhooks/server/read/state";
import { webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";

/** `device`: what the browser kept of an earlier sign-in, as it sent it; strangers' guesses then do not hold it up. */
type RevealOrigin = RevealContext["origin"] & { device?: string | undefined };

/**
 * The Authorization value of one callback, as the payment service holds it now: the one way in which it reaches a
 * browser. Steps, each before the next: admin, stepped up, turn counted, value read, recorded in the
 * partner's history, shown. Nothing of it is kept, and if recording fails nothing is shown.
 *
 * Throws the problems of `requirePartner`, `not_found`, `not_connected`, `reauthentication_required`, `no_password`,
 * `invalid_fields` for a wrong password, `too_many_requests`, `reveal_limit`, or the service's fault.
 * It does not protect from whoever has the session and the password.
 */
export async function revealAuthorization(
  { partner, environment, type: typeName }: { partner: string; environment: string; type: string },
  request: RevealRequest,
  origin: RevealOrigin,
  now = Date.now(),
): Promise<Revealed> {
  const access = await requirePartner(partner, "authorization.reveal");
  const type = webhookTypes.find((known) => known === typeName);
  if (!type) throw new ProblemError("not_found");
  const place = await placeOf(access.partner.id, environment);
  const context = { access, place, type, origin };

  await requirePasswordAgain(context, request.password, now);
  const quotaId = await requireRevealQuota(context, now);
  const known = await loadLastKnown(db(), place);
  const fetched = await fetchRemoteState(place, known, { requestId: origin.requestId });
  await requireStillAllowed(context, quotaId);
  if (!fetched.ok) {
    const problem = fetched.fault.code;
    await recordReveal(context, { quotaId, outcome: "not_read", fingerprint: null, problem });
    throw new ProblemError(fetched.fault.code, problemInitOf(fetched.fault));
  }
  const state = versionOf(fetched.remote.webhooks[type], known.fidelity);
  const { absence, authorization } = valueIn(fetched.current, state, type);
  const fingerprint = state?.fingerprint ?? null;
  const show = await shownFingerprints(db(), place.partnerId);
  const answer: Revealed = {
    type,
    authorization,
    absence,
    fingerprint: fingerprint && show({ environment: place.environment, type }, fingerprint),
    revision: await revisionOf(db(), place, fetched.remote),
    readAt: new Date().toISOString(),
  };
  await recordReveal(context, { quotaId, outcome: absence ?? "revealed", fingerprint, problem: null });
  return answer;
}

/** A session alone, which may be a stolen one, opens nothing. */
async function requirePasswordAgain(
  context: RevealContext & { origin: RevealOrigin },
  password: string | undefined,
  now: number,
): Promise<void> {
  const session = await readSession();
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
      await recordReveal(context, { outcome: "wrong_password", fingerprint: null, problem: null });
      throw wrongPassword();
    }
  }
  if (!isSteppedUp(session, now)) throw new ProblemError("reauthentication_required");
}

/** Returns the turn's id. Throws `reveal_limit`. */
async function requireRevealQuota(context: RevealContext, now: number): Promise<string> {
  const quota = await consumeReveal(context.access.viewer.id, now);
  if (quota.outcome === "taken") return quota.id;
  await recordLimited(context);
  throw new ProblemError("reveal_limit", { retryable: true, retryAfter: quota.retryAfter });
}

/** The service may have taken its time, and somebody may have used it to take the role away. */
async function requireStillAllowed(context: RevealContext, quotaId: string): Promise<void> {
  try {
    await requirePartner(context.place.partnerId, "authorization.reveal");
  } catch (error) {
    if (error instanceof ProblemError)
      await recordReveal(context, {
        quotaId,
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
  { webhooks }: Current,
  state: WebhookVersion,
  type: WebhookType,
): Pick<Revealed, "authorization" | "absence"> {
  const webhook = webhooks[type];
  if (!webhook) return { authorization: null, absence: "not_registered" };
  if (webhook.authorizationConflict) return { authorization: null, absence: "conflicting_values" };
  // What stands in its place is not the value.
  if (state?.hidden) return { authorization: null, absence: "not_shown" };
  return webhook.authorization
    ? { authorization: webhook.authorization.reveal(), absence: null }
    : { authorization: null, absence: "not_set" };
}
