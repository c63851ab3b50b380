import "server-only";
import { type Db, db } from "@/lib/platform/database/open";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import {
  type SingleSignOnFailure,
  singleSignOnCode,
} from "@/lib/platform/auth/model/single-sign-on-failure";
import { type SignInContext, clientAddress } from "@/lib/platform/http/model/request-context";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import {
  recordFailure,
  refund,
  consume,
  perCaller,
} from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { enforceLimits } from "@/lib/platform/limits/limits";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { env, type SingleSignOnSettings } from "@/lib/platform/env/env";
import { safeRedirectPath } from "@/lib/platform/http/model/safe-redirect-path";
import { attemptCookieName, attemptIdIn } from "@/lib/platform/auth/model/session-cookie";
import { decode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { NextResponse } from "next/server";
import { randomBytes } from "node:crypto";
import {
  forgetAttempt,
  isSecure,
  keepSession,
  readAttempt,
} from "@/lib/platform/auth/sessions/browser-cookies";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { stepUp } from "@/lib/platform/auth/step-up";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { currentLocale, replaceCurrentSession } from "@/lib/platform/auth/sessions/sign-out";
import type { ProviderRequest } from "@/lib/platform/auth/model/sign-in-requests";
import { askStepUp, takeStepUp } from "./asked-step-up";
import { admitTold, isSafe, newAttempt, type ProviderAttempt } from "./attempt";
import { askProvider, exchange } from "./next-auth";

type AuthRequest = { request: Request; requestId: string };

type Refused = {
  failure: SingleSignOnFailure;
  /** The affected account, if any. */
  person: { id: string; name: string } | null;
};

/** Counts a failed attempt, which the throttle has let through already, and records it. */
export async function refuseSingleSignOn(
  db: Db,
  { failure, person }: Refused,
  caller: SignInContext,
): Promise<void> {
  const { requestId, clientAddress } = caller;
  log.warn(
    { requestId, failure, userId: person?.id ?? null, clientAddress },
    "single sign-on failed",
  );
  const blockedSeconds = await recordFailure(db, { email: null, clientAddress });
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      who: person,
      kind: "sign_in_refused",
      clientAddress,
      requestId,
      outcome: "single_sign_on",
      detail: { failure, blockedSeconds, ...parseUserAgent(caller.userAgent) },
    }),
  );
}

/** Each one begun reads the provider's metadata. */
const begun = { most: 300, seconds: 600 };

/** How many tabs of one browser can be at the provider at once: what a browser sends in cookies must not grow for ever. */
const maxAttempts = 4;

/** Throws `not_found` where nobody signs in at a provider. */
export function requireProvider(): SingleSignOnSettings {
  const { oidc } = env();
  if (!oidc) throw new ProblemError("not_found", { applied: "no" });
  return oidc;
}

/**
 * Answers the buttons for signing in and for the step-up with the browser's next address, as JSON. Throws
 * `too_many_requests`, and for the step-up `signed_out` or, where the provider is none of its ways, `not_found`.
 */
export async function sendToProvider(
  config: SingleSignOnSettings,
  auth: AuthRequest,
  { callbackUrl = "/", askWho = false, stepUp: stepsUp = false }: ProviderRequest,
): Promise<Response> {
  const caller = originOf(auth);
  await enforceLimits(perCaller("single sign-on begun", caller.clientAddress, begun));
  const id = `${stepsUp ? stepUpMark : ""}${randomBytes(6).toString("hex")}`;
  if (stepsUp) await beginStepUp(config, id);
  const ask = stepsUp ? "sign in anew" : askWho ? "who, by prompt" : "who";
  const attempt = newAttempt(config, id, ask);
  const sent = await askProvider({ attempt, requestId: auth.requestId }, callbackUrl);
  // It leads to a page of its own where it could not read the provider's metadata.
  if (!isSafe(sent.to, config.issuer) || new URL(sent.to).searchParams.has("error")) {
    const code = singleSignOnCode(attempt.outage ?? "failed");
    const back = stepsUp ? stepUpAddress(code) : signInAddress(code, callbackUrl);
    return Response.json({ url: back.href });
  }
  const asked = new URL(sent.to);
  asked.searchParams.set("state", `${id}.${asked.searchParams.get("state")}`);
  const sendOn = Response.json({ url: asked.href });
  for (const cookie of sent.cookies) sendOn.headers.append("set-cookie", cookie);
  // Browsers send the oldest first (RFC 6265, section 5.4).
  const others = (await cookies()).getAll().flatMap(({ name }) => attemptIdIn(name) ?? []);
  for (const old of others.slice(0, Math.max(0, others.length + 1 - maxAttempts)))
    forgetAttempt(sendOn, old);
  return sendOn;
}

/**
 * Begins the id of an attempt that is a step-up. Part of the state, so that an answer to one never signs anybody in,
 * also when it comes too late or twice.
 */
const stepUpMark = "s";

async function beginStepUp(config: SingleSignOnSettings, attemptId: string): Promise<void> {
  if (!config.isOnlyWay) throw new ProblemError("not_found");
  const session = await readSession();
  if (!session) throw new ProblemError("signed_out");
  await askStepUp(db(), attemptId, session);
}

/**
 * Handles the provider's answer, with which the person comes back. Every failure leads back to sign in, with a code. An
 * answer that this browser did not request is no attempt: any website can make a browser request this address, so such
 * a request is neither counted against its network nor recorded in the history, and ends no attempt of this browser.
 */
export async function finishSingleSignOn(
  config: SingleSignOnSettings,
  auth: AuthRequest,
): Promise<Response> {
  const state = await requestedState(auth);
  if (!state) {
    const { requestId, clientAddress } = originOf(auth);
    log.warn({ requestId, clientAddress }, "unrequested single sign-on answer");
    return NextResponse.redirect(signInAddress(singleSignOnCode("failed"), null), 303);
  }
  const isStepUp = state.attemptId.startsWith(stepUpMark);
  const wanted = await readAttempt("wanted", state.attemptId);
  const back = (code: string) =>
    NextResponse.redirect(isStepUp ? stepUpAddress(code) : signInAddress(code, wanted), 303);
  const finishing = isStepUp
    ? finishStepUp(config, auth, state, back)
    : finish(config, auth, state, wanted, back);
  const answer = await finishing.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn({ err: error, ...originOf(auth) }, "single sign-on without a database");
    return back("database_unavailable");
  });
  forgetAttempt(answer, state.attemptId);
  return answer;
}

/** `back` redirects to the sign-in page with a code. */
async function finish(
  config: SingleSignOnSettings,
  auth: AuthRequest,
  state: RequestedState,
  wanted: string | undefined,
  back: (code: string) => Response,
): Promise<Response> {
  const { requestId, clientAddress } = originOf(auth);
  const refusal = refusalOf(auth);
  if (refusal !== null) return back(singleSignOnCode(refusal));
  const counted = { email: null, clientAddress };
  const limit = await consume(db(), counted);
  const throttled = (seconds: number) => {
    log.warn({ requestId, clientAddress, outcome: "throttled" }, "single sign-on");
    return back(`throttled:${seconds}`);
  };
  if (!limit.allowed) return throttled(limit.retryAfterSeconds);
  const origin = { ...originOf(auth), locale: await currentLocale() };
  const { told, outage } = await exchanged(config, auth, state);
  const admitted = told && (await admitTold(config, told, origin).catch(logged));
  switch (admitted?.outcome) {
    case "signed_in":
      await refund(db(), counted);
      await replaceCurrentSession(origin);
      return signedInAt(wanted, admitted.sessionId);
    case "too_often":
      await refund(db(), counted);
      return throttled(admitted.retryAfterSeconds);
    default: {
      // An outage must not block a network that has done nothing wrong.
      if (!told && outage) {
        await refund(db(), counted);
        return back(singleSignOnCode(outage));
      }
      const { reason, person } = admitted ?? ({ reason: "failed", person: null } as const);
      await refuseSingleSignOn(db(), { failure: reason, person }, origin);
      const isNamedNowhere = reason === "not_invited" && config.isOnlyWay;
      return back(singleSignOnCode(isNamedNowhere ? "not_named" : reason));
    }
  }
}

/** The same for a step-up: the session goes on, and nothing but the confirmation is recorded in it. */
async function finishStepUp(
  config: SingleSignOnSettings,
  auth: AuthRequest,
  state: RequestedState,
  back: (code: string) => Response,
): Promise<Response> {
  const { requestId, clientAddress } = originOf(auth);
  const session = await readSession();
  const asked = session && (await takeStepUp(db(), state.attemptId, session));
  if (!asked) {
    log.warn({ requestId, clientAddress, outcome: "over" }, "step-up at the provider");
    return back(singleSignOnCode("over"));
  }
  const refusal = refusalOf(auth);
  if (refusal !== null) return back(singleSignOnCode(refusal));
  const { told, outage } = await exchanged(config, auth, state);
  if (!told) return back(singleSignOnCode(outage ?? "failed"));
  const asker = { requestId, clientAddress };
  const stepped = await stepUp(
    db(),
    session,
    { by: "provider", issuer: config.issuer, claims: told.claims, ...asked, asker },
    { isDemo: false },
  );
  if (stepped.outcome === "throttled") return back(`throttled:${stepped.retryAfterSeconds}`);
  const failure = stepUpFailures[stepped.outcome] ?? "failed";
  return back(stepped.outcome === "given" ? "given" : singleSignOnCode(failure));
}

const stepUpFailures: Partial<Record<string, SingleSignOnFailure>> = {
  other_account: "other_account",
  not_fresh: "not_fresh",
  over: "over",
};

/** The failure that an error of the provider stands for; null where it gave none. */
function refusalOf(auth: AuthRequest): SingleSignOnFailure | null {
  const refusal = new URL(auth.request.url).searchParams.get("error");
  if (refusal === null) return null;
  const { requestId, clientAddress } = originOf(auth);
  const providerError = refusal.slice(0, 80);
  log.info({ requestId, clientAddress, providerError }, "single sign-on refused by the provider");
  if (byPerson.has(refusal)) return "cancelled";
  return ofOutage.has(refusal) ? "no_answer" : "failed";
}

/** The attempt to which the provider has answered, with what it said. */
async function exchanged(
  config: SingleSignOnSettings,
  { request, requestId }: AuthRequest,
  { attemptId, value }: RequestedState,
): Promise<ProviderAttempt> {
  const attempt = newAttempt(config, attemptId);
  const answer = new URL(request.url).searchParams;
  answer.set("state", value);
  await exchange({ attempt, requestId }, answer);
  return attempt;
}

/** A person must get a page, whatever was not foreseen here. */
function logged(error: unknown): null {
  if (isDatabaseUnavailable(error)) throw error;
  log.error({ err: error }, "single sign-on failed");
  return null;
}

function signedInAt(wanted: string | undefined, sessionId: string): Response {
  const { origin } = env().url;
  const answer = NextResponse.redirect(new URL(safeRedirectPath(wanted, origin), origin), 303);
  keepSession(answer, sessionId);
  return answer;
}

/** Errors of a provider that a person causes (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6). */
const byPerson: ReadonlySet<string> = new Set(["access_denied", "interaction_required"]);

/** Errors of a provider that cannot answer now (RFC 6749, section 4.1.2.1). */
const ofOutage: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);

/** `value` is next-auth's own. */
type RequestedState = { attemptId: string; value: string };

/**
 * The state of the answer, if this browser was sent to the provider with it. next-auth checks the same, but only after
 * the attempt is counted. It does not stop a person who sends the same answer again.
 */
async function requestedState({ request }: AuthRequest): Promise<RequestedState | null> {
  const sent = new URL(request.url).searchParams.get("state") ?? "";
  const [, attemptId, value] = /^(s?[0-9a-f]{12})\.(.+)$/.exec(sent) ?? [];
  if (attemptId === undefined || value === undefined) return null;
  const salt = attemptCookieName("state", attemptId, isSecure());
  const token = await readAttempt("state", attemptId);
  if (!token) return null;
  try {
    const kept = await decode({ token, salt, secret: env().authSecret.reveal() });
    return kept?.["value"] === value ? { attemptId, value } : null;
  } catch {
    return null;
  }
}

function originOf({ request: { headers }, requestId }: AuthRequest): SignInContext {
  return { requestId, clientAddress: clientAddress(headers), userAgent: headers.get("user-agent") };
}

function signInAddress(code: string, wanted: string | null | undefined): URL {
  const address = new URL("/sign-in", env().url.origin);
  address.searchParams.set("error", code);
  const path = safeRedirectPath(wanted, env().url.origin);
  if (path !== "/") address.searchParams.set("callbackUrl", path);
  return address;
}

function stepUpAddress(code: string): URL {
  const address = new URL("/confirm-identity", env().url.origin);
  address.searchParams.set(code === "given" ? "done" : "error", code);
  return address;
}
