import "server-only";
import { env } from "@/lib/platform/env/env";
import { AsyncLocalStorage } from "node:async_hooks";
import NextAuth, { type AuthOptions, type CookieOption, type Profile } from "next-auth";
import { NextRequest } from "next/server";
import { type ProviderAttempt, attemptMaxAge } from "@/lib/platform/auth/oidc/attempt";
import { addressToLeave } from "@/lib/platform/auth/sessions/leave-provider";
import {
  currentSignInContext,
  replaceCurrentSession,
  signOutSession,
} from "@/lib/platform/auth/sessions/sign-out";
import { db } from "@/lib/platform/database/open";
import { log } from "@/lib/platform/log/log";
import { safeRedirectPath } from "@/lib/platform/http/model/safe-redirect-path";
import {
  attemptCookieName,
  cookieName,
  sessionCookieName,
} from "@/lib/platform/auth/model/session-cookie";
import { sessionIdClaim, sessionIdFrom } from "@/lib/platform/auth/sessions/session-token";
import { sessionLife } from "@/lib/platform/auth/sessions/sessions";
import { outageIn } from "@/lib/platform/auth/oidc/outage";

export type AuthRequest = {
  request: Request;
  requestId: string;
  /** The part of the path after `/api/auth/`. */
  action: string;
  body: Uint8Array<ArrayBuffer> | undefined;
};

/** The request that next-auth answers: it has one logger for all, the last request's. */
const asking = new AsyncLocalStorage<{ requestId: string; singleSignOn: ProviderAttempt | null }>();

/** Lets next-auth answer, and ends the session that it signs out. It does not throw for invalid requests. */
export async function nextAuth(
  { request, requestId, action, body }: AuthRequest,
  singleSignOn: ProviderAttempt | null = null,
): Promise<Response> {
  // next-auth builds its addresses from this variable, and without it from the caller's Host header.
  process.env["NEXTAUTH_URL"] = env().url.origin;
  const { method, headers } = request;
  const own = new NextRequest(request.url, { method, headers, ...(body ? { body } : {}) });
  let leaving: unknown;
  const options = authOptions(requestId, singleSignOn, (sessionId) => (leaving = sessionId));
  const answer: unknown = await asking.run({ requestId, singleSignOn }, () =>
    NextAuth(own, { params: { nextauth: action.split("/") } }, options),
  );
  if (!(answer instanceof Response)) throw new Error("next-auth gave no response");
  // Not in next-auth's event: it would log a failure, clear the cookie and call the person signed out.
  if (typeof leaving !== "string") return answer;
  const next = await addressToLeave(db(), leaving, env().url.origin);
  await signOutSession(db(), leaving, "signed_out", await currentSignInContext(requestId));
  const isRedirect = answer.headers.has("location");
  return next && !isRedirect
    ? Response.json({ url: next.href }, { headers: answer.headers })
    : answer;
}

/**
 * How next-auth ends sessions, and signs people in at the provider; password, code and passkey have routes of their own.
 * Sessions are rows (`sessions.ts`); its token only carries the session's id. `singleSignOn` is the attempt that the
 * request is part of, if any; `onSignOut` gets the id in the token, if it has one.
 */
function authOptions(
  requestId: string,
  singleSignOn: ProviderAttempt | null,
  onSignOut: (sessionId: unknown) => void,
): AuthOptions {
  const secure = env().url.protocol === "https:";
  return {
    secret: env().authSecret.reveal(),
    providers: singleSignOn ? [singleSignOn.provider] : [],
    // The cookie's life; the token's is longer, as in `sessionToken`.
    session: { strategy: "jwt", maxAge: sessionLife.absolute / 1000 },
    jwt: { decode: async ({ token }) => ({ [sessionIdClaim]: await sessionIdFrom(token) }) },
    pages: {
      signIn: "/sign-in",
      signOut: "/sign-in",
      error: "/sign-in",
      verifyRequest: "/sign-in",
    },
    cookies: {
      sessionToken: cookie(sessionCookieName(secure), secure),
      csrfToken: cookie(cookieName("csrf", secure), secure),
      callbackUrl: cookie(cookieName("callback-url", secure), secure),
      ...(singleSignOn && cookiesOf(singleSignOn, secure)),
    },
    callbacks: {
      signIn: ({ profile }) => admitClaims(requestId, singleSignOn, profile),
      // The token contains nothing of the person.
      jwt: () => ({ [sessionIdClaim]: sessionIn(singleSignOn) }),
      redirect: ({ url, baseUrl }) => `${baseUrl}${safeRedirectPath(url, baseUrl)}`,
    },
    events: { signOut: ({ token }) => onSignOut(token?.[sessionIdClaim]) },
    logger: {
      error: (code, thrown) => {
        const { requestId, singleSignOn } = asking.getStore() ?? {};
        if (singleSignOn) singleSignOn.outage ??= outageIn(errorIn(thrown));
        log.error({ code, requestId, why: withoutValues(thrown) }, "next-auth");
      },
      warn: (code) => log.warn({ code }, "next-auth"),
      debug: (code) => log.debug({ code }, "next-auth"),
    },
  };
}

function errorIn(thrown: Error | Record<string, unknown>): unknown {
  return thrown instanceof Error ? thrown : thrown["error"];
}

/** openid-client appends the compared values after a comma. */
function withoutValues(thrown: Error | Record<string, unknown>): string {
  const error = errorIn(thrown);
  return error instanceof Error ? (error.message.split(",")[0]?.slice(0, 200) ?? "") : "";
}

function sessionIn(singleSignOn: ProviderAttempt | null): string | null {
  const result = singleSignOn?.result;
  return result?.outcome === "signed_in" ? result.sessionId : null;
}

function cookie(name: string, secure: boolean): CookieOption {
  return { name, options: { httpOnly: true, sameSite: "lax", path: "/", secure } };
}

function cookiesOf({ id }: ProviderAttempt, secure: boolean): AuthOptions["cookies"] {
  const kept = (purpose: Parameters<typeof attemptCookieName>[0]): CookieOption => {
    const { name, options } = cookie(attemptCookieName(purpose, id, secure), secure);
    return { name, options: { ...options, maxAge: attemptMaxAge } };
  };
  return {
    callbackUrl: kept("wanted"),
    state: kept("state"),
    nonce: kept("nonce"),
    pkceCodeVerifier: kept("pkce"),
  };
}

async function admitClaims(
  requestId: string,
  singleSignOn: ProviderAttempt | null,
  claims: Profile | undefined,
): Promise<boolean> {
  const isIn = singleSignOn !== null && (await singleSignOn.admit({ ...claims }));
  if (isIn) await replaceCurrentSession(await currentSignInContext(requestId));
  return isIn;
}
