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
import { loadKnown } from "@/lib/webhooks/server/read/confirmed";
import { problemInitOf } from "@/lib/webhooks/server/save/fault-problem";
import { look } from "@/lib/webhooks/server/read/look";
import { placeOf } from "@/lib/webhooks/server/read/read";
import { recordLimited, recordReveal, type Asking } from "./record-reveal";
import { takeRevealTurn } from "./reveal-turn";
import type { Revealed, RevealRequest } from "@/lib/webhooks/model/revealed";
import { revisionOf } from "@/lib/webhooks/server/read/snapshot";
import { stateOf, type State } from "@/lib/webhooks/server/read/state";
import { webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";

/** `device`: what the browser kept of an earlier sign-in, as it sent it; strangers' guesses then do not hold it up. */
type RevealOrigin = Asking["origin"] & { device?: string | undefined };

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
  const asking = { access, place, type, origin };

  await requirePasswordAgain(asking, request.password, now);
  const turn = await takeTurn(asking, now);
  const known = await loadKnown(db(), place);
  const seen = await look(place, known, { requestId: origin.requestId });
  await requireStillAllowed(asking, turn);
  if (!seen.ok) {
    const problem = seen.fault.code;
    await recordReveal(asking, { turn, outcome: "not_read", fingerprint: null, problem });
    throw new ProblemError(seen.fault.code, problemInitOf(seen.fault));
  }
  const state = stateOf(seen.snapshot.webhooks[type], known.fidelity);
  const { absence, authorization } = valueIn(seen.current, state, type);
  const fingerprint = state?.fingerprint ?? null;
  const show = await shownFingerprints(db(), place.partnerId);
  const answer: Revealed = {
    type,
    authorization,
    absence,
    fingerprint: fingerprint && show({ environment: place.environment, type }, fingerprint),
    revision: await revisionOf(db(), place, seen.snapshot),
    readAt: new Date().toISOString(),
  };
  await recordReveal(asking, { turn, outcome: absence ?? "revealed", fingerprint, problem: null });
  return answer;
}

/** A session alone, which may be a stolen one, opens nothing. */
async function requirePasswordAgain(
  asking: Asking & { origin: RevealOrigin },
  password: string | undefined,
  now: number,
): Promise<void> {
  const session = await readSession();
  if (!session) throw new ProblemError("signed_out");
  if (password !== undefined) {
    const given = {
      email: asking.access.viewer.email,
      password,
      requestId: asking.origin.requestId,
      clientAddress: asking.origin.clientAddress,
      device: asking.origin.device,
    };
    const isDemo = env().mode === "demo";
    const result = await stepUp(db(), session, { by: "password", given }, { isDemo, now });
    if (result.outcome === "given") return;
    if (result.outcome === "over") throw new ProblemError("reauthentication_required");
    if (result.outcome === "no_password") throw new ProblemError("no_password");
    if (result.outcome === "throttled") throw throttled(result.retryAfterSeconds);
    if (result.outcome === "wrong") {
      await recordReveal(asking, { outcome: "wrong_password", fingerprint: null, problem: null });
      throw wrongPassword();
    }
  }
  if (!isSteppedUp(session, now)) throw new ProblemError("reauthentication_required");
}

/** Returns the turn's id. Throws `reveal_limit`. */
async function takeTurn(asking: Asking, now: number): Promise<string> {
  const turn = await takeRevealTurn(asking.access.viewer.id, now);
  if (turn.outcome === "taken") return turn.id;
  await recordLimited(asking);
  throw new ProblemError("reveal_limit", { retryable: true, retryAfter: turn.retryAfter });
}

/** The service may have taken its time, and somebody may have used it to take the role away. */
async function requireStillAllowed(asking: Asking, turn: string): Promise<void> {
  try {
    await requirePartner(asking.place.partnerId, "authorization.reveal");
  } catch (error) {
    if (error instanceof ProblemError)
      await recordReveal(asking, {
        turn,
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
  state: State,
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
