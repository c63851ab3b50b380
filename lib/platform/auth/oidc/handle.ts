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
import { cookieName } from "@/lib/platform/auth/model/session-cookie";
import { decode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { NextResponse } from "next/server";
import { nextAuth, type AuthRequest } from "@/lib/platform/auth/sign-in/next-auth";
import { currentLocale } from "@/lib/platform/auth/sessions/sign-out";
import * as z from "zod";
import { isSafe, newAttempt } from "./attempt";

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

/** Answers the sign-in button with the browser's next address, as JSON. Throws `too_many_requests`. */
export async function sendToProvider(
  config: SingleSignOnSettings,
  auth: AuthRequest,
): Promise<Response> {
  const caller = originOf(auth);
  await enforceLimits(perCaller("single sign-on begun", caller.clientAddress, begun));
  const sent = new URLSearchParams(new TextDecoder().decode(auth.body));
  // next-auth would pass every parameter of the address on to the provider.
  const { origin, pathname } = new URL(auth.request.url);
  const request = new Request(`${origin}${pathname}`, {
    method: "POST",
    headers: auth.request.headers,
  });
  const askWho = sent.get("askWho") === "true";
  const attempt = newAttempt(config, { origin: caller, askWho });
  const answer = await nextAuth({ ...auth, request }, attempt);
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  const { data } = z.object({ url: z.string() }).safeParse(body);
  // It leads to a page of its own where it could not read the provider's metadata.
  return data && isSafe(data.url, config.issuer) && !new URL(data.url).searchParams.has("error")
    ? answer
    : Response.json({
        url: signInAddress(singleSignOnCode("failed"), sent.get("callbackUrl")).href,
      });
}

/**
 * Handles the provider's answer, with which the person comes back. Every failure leads back to sign in, with a code. An
 * answer that this browser did not request is no attempt: any website can make a browser request this address as an
 * image, so such a request is neither counted against its network nor recorded in the history.
 */
export async function finishSingleSignOn(
  config: SingleSignOnSettings,
  auth: AuthRequest,
): Promise<Response> {
  try {
    return await finish(config, auth);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn({ err: error, ...originOf(auth) }, "single sign-on without a database");
    return back("database_unavailable");
  }
}

async function finish(config: SingleSignOnSettings, auth: AuthRequest): Promise<Response> {
  const answer = new URL(auth.request.url).searchParams;
  const { requestId, clientAddress } = originOf(auth);
  if (!(await stateMatchesBrowser(answer.get("state")))) {
    log.warn({ requestId, clientAddress }, "unrequested single sign-on answer");
    return back(singleSignOnCode("failed"));
  }
  const refusal = answer.get("error");
  if (refusal !== null) {
    const providerError = refusal.slice(0, 80);
    log.info({ requestId, clientAddress, providerError }, "single sign-on refused by the provider");
    return back(singleSignOnCode(byPerson.has(refusal) ? "cancelled" : "failed"));
  }
  const counted = { email: null, clientAddress };
  const limit = await consume(db(), counted);
  const throttled = (seconds: number) => {
    log.warn({ requestId, clientAddress, outcome: "throttled" }, "single sign-on");
    return back(`throttled:${seconds}`);
  };
  if (!limit.allowed) return throttled(limit.retryAfterSeconds);
  const origin = { ...originOf(auth), locale: await currentLocale() };
  const attempt = newAttempt(config, { origin, askWho: false });
  const response = await nextAuth(auth, attempt);
  const { result } = attempt;
  switch (result?.outcome) {
    case "signed_in":
      await refund(db(), counted);
      return response;
    case "too_often":
      await refund(db(), counted);
      return throttled(result.retryAfterSeconds);
    default: {
      const { reason, person } = result ?? { reason: "failed", person: null };
      await refuseSingleSignOn(db(), { failure: reason, person }, origin);
      return back(singleSignOnCode(reason));
    }
  }
}

/** Errors of a provider that a person causes (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6). */
const byPerson: ReadonlySet<string> = new Set(["access_denied", "interaction_required"]);

/**
 * Whether `state` is the one with which this browser was sent to the provider. next-auth checks the same, but only
 * after the attempt is counted. It does not stop a person who sends the same answer again.
 */
async function stateMatchesBrowser(state: string | null): Promise<boolean> {
  const salt = cookieName("state", env().url.protocol === "https:");
  const token = (await cookies()).get(salt)?.value;
  if (!token || state === null) return false;
  try {
    const kept = await decode({ token, salt, secret: env().authSecret.reveal() });
    return kept?.["value"] === state;
  } catch {
    return false;
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

/** Redirects to the sign-in page. Clears the attempt's cookies, even where they were not read. */
async function back(code: string): Promise<Response> {
  const secure = env().url.protocol === "https:";
  const wanted = (await cookies()).get(cookieName("callback-url", secure))?.value;
  const answer = NextResponse.redirect(signInAddress(code, wanted), 303);
  for (const purpose of ["state", "nonce", "pkce"] as const)
    answer.cookies.set(cookieName(purpose, secure), "", {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure,
      maxAge: 0,
    });
  return answer;
}
