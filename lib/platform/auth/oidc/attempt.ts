import "server-only";
import { db } from "@/lib/platform/database/open";
import type { SingleSignOnSettings } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import type { SingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { createHash } from "node:crypto";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { countSignIn } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { admit, type Admission } from "./admit";
import { completed, identityIn, leavesOut, staffRoleIn } from "./claims";
import { clientOptions } from "./client-options";
import type { ProviderMetadata } from "./discovery";
import { failureOf, reasonForLog } from "./failure-of";

type Claims = Record<string, unknown> & { sub: string };

/** One request of single sign-on: next-auth's provider, and the outcome, which next-auth itself does not report. */
export type ProviderAttempt = {
  provider: OAuthConfig<Claims>;
  /** Starts the session of the person whom these claims describe; false where they are not admitted. */
  admit: (claims: Record<string, unknown>) => Promise<boolean>;
  /** Only meaningful where the attempt failed. */
  failure: SingleSignOnFailure;
  sessionId: string | null;
  /** In how many seconds the person may sign in again, where they did so too often. */
  retryAfterSeconds: number | null;
  /** The person it would have been, as far as that is known. */
  refused: { id: string; name: string } | null;
};

type Options = {
  origin: SignInContext;
  /** The provider must prompt even a person whom it remembers: else a wrong account would come back for ever. */
  askWho: boolean;
};

/** The provider's name in next-auth; part of the redirect address that the provider has to allow. */
export const providerId = "oidc";

/** For how long a person may take at the provider, in seconds. */
export const attemptMaxAge = 15 * 60;

/** For each of the requests to the provider, in milliseconds. */
const timeout = 5_000;

type ReportFailure = (failure: SingleSignOnFailure) => void;

export function newAttempt(
  config: SingleSignOnSettings,
  metadata: ProviderMetadata,
  { origin, askWho }: Options,
): ProviderAttempt {
  const reportFailure: ReportFailure = (failure) => {
    attempt.failure = failure;
  };
  const attempt: ProviderAttempt = {
    provider: provider(config, metadata, askWho, reportFailure),
    admit: async (claims) => {
      const tooOften = (seconds: number) => {
        attempt.retryAfterSeconds = seconds;
      };
      const options = { origin, reportFailure, tooOften };
      const admission = await arrive(config, claims, options).catch((error: unknown) => {
        log.error({ err: error }, "single sign-on failed");
        reportFailure("failed");
        return null;
      });
      if (admission?.outcome === "signed_in") attempt.sessionId = admission.sessionId;
      else attempt.refused = admission?.person ?? null;
      return attempt.sessionId !== null;
    },
    // Before any of the code below runs, next-auth itself only refuses a state that is not this browser's.
    failure: "expired",
    sessionId: null,
    retryAfterSeconds: null,
    refused: null,
  };
  return attempt;
}

/**
 * openid-client exchanges the code with PKCE, and checks the ID token against this browser's state and nonce;
 * `discover` reads and checks the metadata, which openid-client's own discovery does not.
 */
function provider(
  config: SingleSignOnSettings,
  metadata: ProviderMetadata,
  askWho: boolean,
  reportFailure: ReportFailure,
): OAuthConfig<Claims> {
  let claims: Claims = { sub: "" };
  return {
    id: providerId,
    name: config.name,
    type: "oauth",
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    clientId: config.clientId,
    clientSecret: config.clientSecret.reveal(),
    issuer: metadata.issuer,
    jwks_endpoint: metadata.jwks_uri,
    client: clientOptions(metadata),
    httpOptions: { timeout },
    authorization: {
      url: metadata.authorization_endpoint,
      params: { scope: config.scope, ...(askWho && { prompt: "login" }) },
    },
    token: {
      url: metadata.token_endpoint,
      request: async ({ client, provider: { callbackUrl }, params, checks }) => {
        const tokens = await exchange(reportFailure, () =>
          client.callback(callbackUrl, params, checks),
        );
        claims = tokens.claims();
        // For the same account, which openid-client ensures.
        if (metadata.userinfo_endpoint !== undefined && leavesOut(claims, config.staff))
          claims = completed(claims, await exchange(reportFailure, () => client.userinfo(tokens)));
        return { tokens };
      },
    },
    userinfo: {
      ...(metadata.userinfo_endpoint !== undefined && { url: metadata.userinfo_endpoint }),
      request: () => claims,
    },
    profile: ({ sub }) => ({ id: sub }),
  };
}

async function exchange<Result>(
  reportFailure: ReportFailure,
  work: () => Promise<Result>,
): Promise<Result> {
  // From here on the browser's state is correct.
  reportFailure("failed");
  try {
    return await work();
  } catch (error) {
    reportFailure(failureOf(error));
    log.warn({ why: reasonForLog(error) }, "single sign-on exchange failed");
    throw error;
  }
}

type Arriving = Pick<Options, "origin"> & {
  reportFailure: ReportFailure;
  tooOften: (seconds: number) => void;
};

async function arrive(
  config: SingleSignOnSettings,
  claims: Record<string, unknown>,
  { origin, reportFailure, tooOften }: Arriving,
): Promise<Admission | null> {
  const identity = identityIn(config.issuer, claims);
  if (!identity) {
    reportFailure("misconfigured");
    return null;
  }
  const account = createHash("sha256").update(JSON.stringify([identity.issuer, identity.subject]));
  const wait = await countSignIn(db(), account.digest("hex"), origin.clientAddress);
  if (wait !== null) {
    tooOften(wait);
    return null;
  }
  const staffRole = config.staff ? staffRoleIn(claims, config.staff) : undefined;
  const admission = await admit(db(), { identity, staffRole, origin });
  const { requestId, clientAddress } = origin;
  if (admission.outcome === "refused") {
    const { outcome, reason, person } = admission;
    reportFailure(reason);
    const userId = person?.id ?? null;
    log.info({ requestId, outcome, reason, userId, clientAddress }, "single sign-on");
    return admission;
  }
  const { outcome, userId, staffRole: changed, withheld } = admission;
  log.info({ requestId, outcome, userId, clientAddress, staffRole: changed }, "single sign-on");
  if (withheld !== null)
    log.warn({ requestId, userId, withheld }, "a partner's member is not made staff by the claim");
  return admission;
}
