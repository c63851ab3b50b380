import "server-only";
import { db } from "@/lib/platform/database/open";
import { env, type SingleSignOnSettings } from "@/lib/platform/env/env";
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

/** What the provider said of the person who signed in there. */
type Told = { claims: Claims; leave: LeaveProvider | null };

/** One request of single sign-on: next-auth's provider, and what came of it, which next-auth itself does not report. */
export type ProviderAttempt = {
  /** Names its cookies. */
  id: string;
  provider: OAuthConfig<Claims>;
  /** Why the provider was not reached, or could not answer; null where it did. */
  outage: Outage | null;
  /** null where the provider did not vouch for anybody. */
  told: Told | null;
};

/** How long a person may take at the provider, in seconds. */
export const attemptMaxAge = 15 * 60;

const asks = {
  who: {},
  /** Also a person whom the provider remembers: else a wrong account would come back for ever. */
  "who, by prompt": { prompt: "login" },
  /** Two requests for the same: providers know one or the other. With the second, they have to say when it was. */
  "sign in anew": { prompt: "login", max_age: "0" },
} satisfies Record<string, Record<string, string>>;

export function newAttempt(
  config: SingleSignOnSettings,
  id: string,
  ask: keyof typeof asks = "who",
): ProviderAttempt {
  const attempt: ProviderAttempt = {
    id,
    provider: provider(config, asks[ask], (told) => (attempt.told = told)),
    outage: null,
    told: null,
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
  tell: (told: Told) => void,
): OAuthConfig<Claims> {
  const redirectUri = `${env().url.origin}/api/auth/callback/oidc`;
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
      // A provider without TLS is on this machine. Set for that one, too: openid-client keeps what the process set before.
      agent: config.issuer.startsWith("https:") && processWide("oidc-agent", outboundAgent),
    },
    authorization: {
      // next-auth would take its own from a variable, or from the caller's Host header.
      params: { scope: "openid email profile", redirect_uri: redirectUri, ...asked },
    },
    token: {
      request: async ({ client, params, checks }) => {
        const { metadata } = client.issuer;
        requireOwnMetadata(metadata, config.issuer);
        const tokens = await client.callback(redirectUri, params, checks);
        const claims = tokens.claims();
        const { end_session_endpoint: endpoint } = metadata;
        const leave =
          endpoint !== undefined && isSafe(endpoint, config.issuer)
            ? { endpoint, clientId: config.clientId, idToken: tokens.id_token ?? "" }
            : null;
        // openid-client ensures that it is the same account.
        const hasMore = metadata.userinfo_endpoint !== undefined && leavesOut(claims, config);
        tell({
          claims: hasMore ? completed(claims, await client.userinfo(tokens)) : claims,
          leave,
        });
        return { tokens };
      },
    },
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

export type Admitted = Admission | { outcome: "too_often"; retryAfterSeconds: number };

/** Starts the session of the person whom the provider described; null where it named nobody. */
export async function admitTold(
  config: SingleSignOnSettings,
  { claims, leave }: Told,
  origin: SignInContext,
): Promise<Admitted | null> {
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
