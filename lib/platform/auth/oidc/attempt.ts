import "server-only";
import { db } from "@/lib/platform/database/open";
import type { SingleSignOnSettings } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { createHash } from "node:crypto";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { countSignIn } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { admit, type Admission } from "./admit";
import { completed, identityIn, leavesOut, staffRoleIn } from "./claims";

type Claims = Record<string, unknown> & { sub: string };

/** One request of single sign-on: next-auth's provider, and the outcome, which next-auth itself does not report. */
export type ProviderAttempt = {
  provider: OAuthConfig<Claims>;
  /** Starts the session of the person whom these claims describe; false where they are not admitted. */
  admit: (claims: Record<string, unknown>) => Promise<boolean>;
  /** null where the provider did not vouch for anybody. */
  result: Admission | Throttled | null;
};

type Throttled = { outcome: "too_often"; retryAfterSeconds: number };

type Options = {
  origin: SignInContext;
  /** The provider must prompt even a person whom it remembers: else a wrong account would come back for ever. */
  askWho: boolean;
};

/** How long a person may take at the provider, in seconds. */
export const attemptMaxAge = 15 * 60;

export function newAttempt(
  config: SingleSignOnSettings,
  { origin, askWho }: Options,
): ProviderAttempt {
  const attempt: ProviderAttempt = {
    provider: provider(config, askWho),
    admit: async (claims) => {
      attempt.result = await handleClaims(config, claims, origin).catch((error: unknown) => {
        log.error({ err: error }, "single sign-on failed");
        return null;
      });
      return attempt.result?.outcome === "signed_in";
    },
    result: null,
  };
  return attempt;
}

/**
 * openid-client reads the provider's metadata, exchanges the code with PKCE, and checks the ID token against the
 * metadata and this browser's state and nonce. It does not check whose the metadata are.
 */
function provider(config: SingleSignOnSettings, askWho: boolean): OAuthConfig<Claims> {
  let claims: Claims = { sub: "" };
  return {
    // Part of the redirect address that the provider has to allow.
    id: "oidc",
    name: config.name,
    type: "oauth",
    wellKnown: `${config.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    checks: ["pkce", "state", "nonce"],
    clientId: config.clientId,
    clientSecret: config.clientSecret.reveal(),
    httpOptions: { timeout: 5_000 },
    authorization: {
      params: { scope: "openid email profile", ...(askWho && { prompt: "login" }) },
    },
    token: {
      request: async ({ client, provider: { callbackUrl }, params, checks }) => {
        const { metadata } = client.issuer;
        requireOwnMetadata(metadata, config.issuer);
        const tokens = await client.callback(callbackUrl, params, checks);
        claims = tokens.claims();
        // openid-client ensures that it is the same account.
        if (metadata.userinfo_endpoint !== undefined && leavesOut(claims, config.staff))
          claims = completed(claims, await client.userinfo(tokens));
        return { tokens };
      },
    },
    userinfo: { request: () => claims },
    profile: ({ sub }) => ({ id: sub }),
  };
}

type Metadata = {
  issuer: string;
  token_endpoint?: string | undefined;
  jwks_uri?: string | undefined;
  userinfo_endpoint?: string | undefined;
};

/** Throws before any secret is sent: where the metadata are another provider's, or lead elsewhere without TLS. */
export function requireOwnMetadata(metadata: Metadata, issuer: string): void {
  // OpenID Connect Discovery 1.0, section 4.3: another provider could otherwise speak for this one.
  if (metadata.issuer !== issuer)
    throw new Error(
      `the provider calls itself ${metadata.issuer}; set OIDC_ISSUER to exactly that`,
    );
  const { token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  for (const endpoint of [token_endpoint, jwks_uri, userinfo_endpoint])
    if (endpoint !== undefined && !isSafe(endpoint, issuer))
      throw new Error(`the provider has an endpoint without TLS: ${endpoint}`);
}

/** https; or, where the issuer itself has no TLS and so is on this machine, the issuer's host. */
export function isSafe(address: string, issuer: string): boolean {
  if (!URL.canParse(address)) return false;
  const [url, own] = [new URL(address), new URL(issuer)];
  return url.protocol === "https:" || (own.protocol === "http:" && url.host === own.host);
}

async function handleClaims(
  config: SingleSignOnSettings,
  claims: Record<string, unknown>,
  origin: SignInContext,
): Promise<ProviderAttempt["result"]> {
  const identity = identityIn(config.issuer, claims);
  if (!identity) return null;
  const account = createHash("sha256").update(JSON.stringify([identity.issuer, identity.subject]));
  const wait = await countSignIn(db(), account.digest("hex"), origin.clientAddress);
  if (wait !== null) return { outcome: "too_often", retryAfterSeconds: wait };
  const staffRole = config.staff ? staffRoleIn(claims, config.staff) : undefined;
  const admission = await admit(db(), { identity, staffRole, origin });
  const { requestId, clientAddress } = origin;
  if (admission.outcome === "refused") {
    const { outcome, reason, person } = admission;
    const userId = person?.id ?? null;
    const verified = identity.verifiedEmail !== null;
    log.info({ requestId, outcome, reason, verified, userId, clientAddress }, "single sign-on");
    return admission;
  }
  const { outcome, userId, staffRole: changed, withheld } = admission;
  log.info({ requestId, outcome, userId, clientAddress, staffRole: changed }, "single sign-on");
  if (withheld !== null)
    log.warn({ requestId, userId, withheld }, "the staff claim of a partner's member was ignored");
  return admission;
}
