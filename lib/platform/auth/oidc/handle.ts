import "server-only";
import { clientAddress, type SignInContext } from "@/lib/platform/http/model/request-context";
import { db } from "@/lib/platform/database/open";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { env, type SingleSignOnSettings } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { safeRedirectPath } from "@/lib/platform/http/model/safe-redirect-path";
import { cookieName } from "@/lib/platform/auth/model/session-cookie";
import { singleSignOnCode } from "@/lib/platform/auth/model/single-sign-on-failure";
import { decode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { NextResponse } from "next/server";
import { nextAuth, type AuthRequest } from "@/lib/platform/auth/sign-in/next-auth";
import { refund, consume } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { presentLocale } from "@/lib/platform/auth/sessions/sign-out";
import { newAttempt } from "./attempt";
import { discover } from "./discovery";
import { providerFailure } from "./failure-of";
import { refuseSingleSignOn, type Refused } from "./refuse";

/** Answers a press of the button with the browser's next address, as JSON. */
export async function sendToProvider(
  config: SingleSignOnSettings,
  auth: AuthRequest,
): Promise<Response> {
  const sent = new URLSearchParams(new TextDecoder().decode(auth.body));
  const found = await discover(config.issuer);
  if (found.outcome === "failed") {
    const wanted = sent.get("callbackUrl");
    return Response.json({ url: signInAddress(singleSignOnCode(found.reason), wanted).href });
  }
  // next-auth would pass every parameter of the address on to the provider.
  const { origin, pathname } = new URL(auth.request.url);
  const request = new Request(`${origin}${pathname}`, {
    method: "POST",
    headers: auth.request.headers,
  });
  const askWho = sent.get("askWho") === "true";
  const attempt = newAttempt(config, found.metadata, {
    origin: originOf(auth),
    askWho,
  });
  return nextAuth({ ...auth, request }, attempt);
}

/**
 * The person comes back from the provider. Every failure leads back to sign in, with a code. An answer
 * that this browser did not request is no attempt: any website can make a browser request this address as an image, so
 * such a request is neither counted against its network nor recorded in the history.
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
  if (!(await isRequestedHere(answer.get("state")))) {
    const { requestId, clientAddress } = originOf(auth);
    log.warn({ requestId, clientAddress }, "single sign-on answered that this browser did not ask");
    return back(singleSignOnCode("expired"));
  }
  const refusal = answer.get("error");
  if (refusal !== null) {
    const { requestId, clientAddress } = originOf(auth);
    const providerError = refusal.slice(0, 80);
    log.info({ requestId, clientAddress, providerError }, "single sign-on refused by the provider");
    return back(singleSignOnCode(providerFailure(refusal)));
  }
  const counted = { email: null, clientAddress: clientAddress(auth.request.headers) };
  const turn = await consume(db(), counted);
  const throttled = (seconds: number) => {
    const { requestId, clientAddress } = originOf(auth);
    log.warn({ requestId, clientAddress, outcome: "throttled" }, "single sign-on");
    return back(`throttled:${seconds}`);
  };
  if (!turn.allowed) return throttled(turn.retryAfterSeconds);
  const end = await exchange(config, auth);
  if (end.outcome === "signed_in") {
    await refund(db(), counted);
    return end.answer;
  }
  if (end.outcome === "too_often") {
    await refund(db(), counted);
    return throttled(end.retryAfterSeconds);
  }
  await refuseSingleSignOn(db(), end, originOf(auth));
  return back(singleSignOnCode(end.failure));
}

/**
 * Whether `state` is the one with which this browser was sent to the provider. next-auth checks the same, but only
 * after the attempt is counted. It does not stop a person who sends the same answer again.
 */
async function isRequestedHere(state: string | null): Promise<boolean> {
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

type End =
  | { outcome: "signed_in"; answer: Response }
  | { outcome: "too_often"; retryAfterSeconds: number }
  | ({ outcome: "failed" } & Refused);

async function exchange(config: SingleSignOnSettings, auth: AuthRequest): Promise<End> {
  const found = await discover(config.issuer);
  if (found.outcome === "failed") return { outcome: "failed", failure: found.reason, person: null };
  const attempt = newAttempt(config, found.metadata, {
    origin: { ...originOf(auth), locale: await presentLocale() },
    askWho: false,
  });
  const answer = await nextAuth(auth, attempt);
  if (attempt.retryAfterSeconds !== null)
    return { outcome: "too_often", retryAfterSeconds: attempt.retryAfterSeconds };
  return attempt.sessionId === null
    ? { outcome: "failed", failure: attempt.failure, person: attempt.refused }
    : { outcome: "signed_in", answer };
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

/** To the sign-in page. Uses up what this browser stored for the attempt, even where it was not read. */
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
