import "server-only";
import { db } from "@/lib/platform/database/open";
import type { SingleSignOnSettings } from "@/lib/platform/env/env";
import { outboundAgent } from "@/lib/platform/egress/outbound";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { log } from "@/lib/platform/log/log";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { createHash } from "node:crypto";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { countSignIn } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import type { LeaveProvider } from "@/lib/platform/auth/sessions/leave-provider";
import { admit, type Admission } from "./admit";
import {
  completed,
  identityIn,
  leavesOut,
  partnersIn,
  providerSessionOf,
  staffRoleIn,
} from "./claims";
import type { Outage } from "./outage";

type Claims = Record<string, unknown> & { sub: string };

/** What the provider said to an attempt. */
type Told = { claims: Claims; leave: LeaveProvider | null };

/** One request of single sign-on: next-auth's provider, and the outcome, which next-auth itself does not report. */
export type ProviderAttempt = {
  /** Names its cookies. */
  id: string;
  provider: OAuthConfig<Claims>;
  /** Starts the session of the person whom these claims describe; false where they are not admitted. */
  admit: (claims: Record<string, unknown>) => Promise<boolean>;
  /** Why the provider was not reached, or could not answer; null where it did. */
  outage: Outage | null;
  /** null where the provider did not vouch for anybody. */
  result: Admission | Throttled | { outcome: "claimed"; claims: Record<string, unknown> } | null;
};

type Throttled = { outcome: "too_often"; retryAfterSeconds: number };

type Options = {
  id: string;
  origin: SignInContext;
  /** The provider must prompt even a person whom it remembers: else a wrong account would come back for ever. */
  askWho: boolean;
};

/** How long a person may take at the provider, in seconds. */
export const attemptMaxAge = 15 * 60;

export function newAttempt(
  config: SingleSignOnSettings,
  { id, origin, askWho }: Options,
): ProviderAttempt {
  const told: Told = { claims: { sub: "" }, leave: null };
  const attempt: ProviderAttempt = {
    id,
    provider: provider(config, { ...(askWho && { prompt: "login" }) }, told),
    admit: async (claims) => {
      attempt.result = await handleClaims(config, claims, told.leave, origin).catch(
        (error: unknown) => {
          log.error({ err: error }, "single sign-on failed");
          return null;
        },
      );
      return attempt.result?.outcome === "signed_in";
    },
    outage: null,
    result: null,
  };
  return attempt;
}

/**
 * The same for a person who is signed in and confirms it by signing in at the provider anew. It starts no session; the
 * caller judges what the provider says.
 */
export function newStepUpAttempt(config: SingleSignOnSettings, id: string): ProviderAttempt {
  const told: Told = { claims: { sub: "" }, leave: null };
  const attempt: ProviderAttempt = {
    id,
    // Two requests for the same: providers know one or the other. With the second, they have to say when it was.
    provider: provider(config, { prompt: "login", max_age: "0" }, told),
    admit: async (claims) => {
      attempt.result = { outcome: "claimed", claims };
      return false;
    },
    outage: null,
    result: null,
  };
  return attempt;
}

export function metadataAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/**
 * openid-client reads the provider's metadata, exchanges the code with PKCE, and checks the ID token against the
 * metadata and this browser's state and nonce. It does not check whose the metadata are.
 */
function provider(
  config: SingleSignOnSettings,
  asked: Record<string, string>,
  told: Told,
): OAuthConfig<Claims> {
  return {
    // Part of the redirect address that the provider has to allow.
    id: "oidc",
    name: config.name,
    type: "oauth",
    wellKnown: metadataAddress(config.issuer),
    checks: ["pkce", "state", "nonce"],
    clientId: config.clientId,
    clientSecret: config.clientSecret.reveal(),
    httpOptions: {
      timeout: 5_000,
      // A provider without TLS is on this machine.
      ...(config.issuer.startsWith("https:") && {
        agent: processWide("oidc-agent", outboundAgent),
      }),
    },
    authorization: {
      params: { scope: "openid email profile", ...asked },
    },
    token: {
      request: async ({ client, provider: { callbackUrl }, params, checks }) => {
        const { metadata } = client.issuer;
        requireOwnMetadata(metadata, config.issuer);
        const tokens = await client.callback(callbackUrl, params, checks);
        told.claims = tokens.claims();
        const { end_session_endpoint: endpoint } = metadata;
        if (endpoint !== undefined && isSafe(endpoint, config.issuer))
          told.leave = { endpoint, clientId: config.clientId, idToken: tokens.id_token ?? "" };
        // openid-client ensures that it is the same account.
        if (metadata.userinfo_endpoint !== undefined && leavesOut(told.claims, config))
          told.claims = completed(told.claims, await client.userinfo(tokens));
        return { tokens };
      },
    },
    userinfo: { request: () => told.claims },
    profile: ({ sub }) => ({ id: sub }),
  };
}

type Metadata = {
  issuer: string;
  authorization_endpoint?: string | undefined;
  token_endpoint?: string | undefined;
  jwks_uri?: string | undefined;
  userinfo_endpoint?: string | undefined;
};

/** Throws before any secret is sent. */
export function requireOwnMetadata(metadata: Metadata, issuer: string): void {
  const fault = metadataFault(metadata, issuer);
  if (fault !== null) throw new Error(fault);
}

/** Why metadata cannot be trusted: they are another provider's, or lead elsewhere without TLS. */
export function metadataFault(metadata: Metadata, issuer: string): string | null {
  // OpenID Connect Discovery 1.0, section 4.3: another provider could otherwise speak for this one.
  if (metadata.issuer !== issuer)
    return `the provider calls itself ${metadata.issuer}; set OIDC_ISSUER to exactly that`;
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  const unsafe = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint].find(
    (endpoint) => endpoint !== undefined && !isSafe(endpoint, issuer),
  );
  return unsafe === undefined ? null : `the provider has an endpoint without TLS: ${unsafe}`;
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
  leave: LeaveProvider | null,
  origin: SignInContext,
): Promise<ProviderAttempt["result"]> {
  const identity = identityIn(config.issuer, claims);
  if (!identity) return null;
  const account = createHash("sha256").update(JSON.stringify([identity.issuer, identity.subject]));
  const wait = await countSignIn(db(), account.digest("hex"), origin.clientAddress);
  if (wait !== null) return { outcome: "too_often", retryAfterSeconds: wait };
  const staffRole = config.staff ? staffRoleIn(claims, config.staff) : undefined;
  const partners = config.partners ? partnersIn(claims, config.partners) : undefined;
  const { sid } = claims;
  const session = typeof sid === "string" ? providerSessionOf(config.issuer, sid) : null;
  const atProvider = { session, leave };
  const admission = await admit(db(), { identity, staffRole, partners, atProvider, origin });
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
