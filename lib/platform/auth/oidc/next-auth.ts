import "server-only";
import { env } from "@/lib/platform/env/env";
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";
import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type AuthOptions, type CookieOption } from "next-auth";
import { cookies } from "next/headers";
import { log } from "@/lib/platform/log/log";
import { safeRedirectPath } from "@/lib/platform/http/model/safe-redirect-path";
import { isSecure } from "@/lib/platform/auth/sessions/browser-cookies";
import { attemptCookieName, attemptCookies } from "@/lib/platform/auth/model/session-cookie";
import { type ProviderAttempt, attemptMaxAge } from "./attempt";
import { outageIn } from "./outage";

type Asked = { attempt: ProviderAttempt; requestId: string };

/** Where next-auth sends the browser, and the cookies that it sets: lines of a `set-cookie` header. */
type Sent = { to: string; cookies: string[] };

/**
 * The address at the provider where a person signs in, and what the browser keeps until the answer. Another address is
 * next-auth's own: it did not come so far.
 */
export function askProvider(asked: Asked, wanted: string): Promise<Sent> {
  const token = randomBytes(32).toString("hex");
  const digest = createHash("sha256").update(token + env().authSecret.reveal());
  return call(asked, {
    method: "POST",
    query: { nextauth: ["signin", "oidc"] },
    body: { callbackUrl: wanted, csrfToken: token },
    // Its own proof that a page of ours asks, which the route has required already.
    cookies: { [csrfCookie]: `${token}|${digest.digest("hex")}` },
  });
}

/** Exchanges the provider's answer; what it then said is in the attempt. */
export async function exchange(asked: Asked, answer: URLSearchParams): Promise<void> {
  const jar = await cookies();
  const names = attemptCookies.map((what) => attemptCookieName(what, asked.attempt.id, isSecure()));
  const kept = names.map((name) => [name, jar.get(name)?.value]);
  await call(asked, {
    method: "GET",
    query: { ...Object.fromEntries(answer), nextauth: ["callback", "oidc"] },
    cookies: Object.fromEntries(kept),
  });
}

/** The request that next-auth answers: it has one logger for all, the last request's. */
const asking = new AsyncLocalStorage<Asked>();

/** By its interface of plain objects, which has it read and write nothing but what is given. */
async function call(
  asked: Asked,
  request: Pick<NextApiRequest, "method" | "cookies"> & { query: object; body?: object },
): Promise<Sent> {
  const sent: Sent = { to: "", cookies: [] };
  const answer = {
    status: () => answer,
    getHeader: () => sent.cookies,
    setHeader: (name: string, value: string & string[]) => {
      if (name === "Location") sent.to = value;
      if (name === "Set-Cookie") sent.cookies = value;
      return answer;
    },
    end: () => {},
    json: () => {},
    send: () => {},
  };
  const [from, to] = [{ headers: {}, ...request } as unknown, answer as unknown];
  await asking.run(asked, () =>
    NextAuth(from as NextApiRequest, to as NextApiResponse, optionsOf(asked.attempt)),
  );
  return sent;
}

const csrfCookie = "csrf";

/** Sessions are none of its business, so it admits nobody. */
function optionsOf({ id, provider }: ProviderAttempt): AuthOptions {
  const { authSecret, url } = env();
  const kept = (purpose: Parameters<typeof attemptCookieName>[0]): CookieOption => ({
    name: attemptCookieName(purpose, id, isSecure()),
    options: {
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure: isSecure(),
      maxAge: attemptMaxAge,
    },
  });
  return {
    secret: authSecret.reveal(),
    providers: [provider],
    cookies: {
      csrfToken: { name: csrfCookie, options: {} },
      callbackUrl: kept("wanted"),
      state: kept("state"),
      nonce: kept("nonce"),
      pkceCodeVerifier: kept("pkce"),
    },
    callbacks: {
      signIn: () => false,
      redirect: ({ url: wanted }) => safeRedirectPath(wanted, url.origin),
    },
    logger: {
      error: (code, thrown) => {
        const { requestId, attempt } = asking.getStore() ?? {};
        if (attempt) attempt.outage ??= outageIn(errorIn(thrown));
        log.error({ code, requestId, why: withoutValues(thrown) }, "next-auth");
      },
      // About how it is set up; the address that it misses is in each of its requests already.
      warn: (code) => log.debug({ code }, "next-auth"),
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
