import "server-only";
import { log } from "@/lib/platform/log/log";
import { readBounded } from "@/lib/platform/runtime/bounded-body";
import { processWide } from "@/lib/platform/runtime/process-wide";
import type { SingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import { request } from "undici";
import * as z from "zod";

/** The parts of a provider's metadata that are used (OpenID Connect Discovery 1.0, section 3). */
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

export type ProviderMetadata = z.infer<typeof metadataSchema>;

type Discovery =
  | { outcome: "found"; metadata: ProviderMetadata }
  | {
      outcome: "failed";
      reason: Extract<SingleSignOnFailure, "provider_unreachable" | "misconfigured">;
      /** For the log: what is wrong. */
      why: string;
    };

const timeoutMs = 5_000;
const bodyLimit = 256 * 1024;

/** Providers seldom move their endpoints; after a failure it waits before the next request. */
const keptMs = { found: 60 * 60_000, failed: 5_000 };

const known = () =>
  processWide(
    "oidc-discovery",
    () => new Map<string, { until: number; answer: Promise<Discovery> }>(),
  );

/** The provider's metadata, kept for an hour; concurrent callers share one request. Never throws. */
export async function discover(issuer: string, now = Date.now()): Promise<Discovery> {
  const kept = known().get(issuer);
  if (kept && kept.until > now) return kept.answer;
  const entry = { until: Number.POSITIVE_INFINITY, answer: discoverNow(issuer) };
  known().set(issuer, entry);
  const answer = await entry.answer;
  entry.until = Date.now() + keptMs[answer.outcome];
  if (answer.outcome === "failed")
    log.error({ issuer, why: answer.why }, "single sign-on provider");
  return answer;
}

async function discoverNow(issuer: string): Promise<Discovery> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const { statusCode, body } = await request(address, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = await readBounded(body, bodyLimit);
    if (!bytes) return failed(true, `${address} answers more than ${bodyLimit} bytes`);
    // A redirect is no answer: the provider is where OIDC_ISSUER says, or it is another one.
    if (statusCode !== 200)
      return failed(statusCode >= 500, `${address} answers ${statusCode}, not 200`);
    return judge(issuer, bytes.toString("utf8"));
  } catch (error) {
    return failed(true, `${address} does not answer: ${nameOf(error)}`);
  }
}

function judge(issuer: string, text: string): Discovery {
  const metadata = parse(text);
  if (!metadata) return failed(false, "it does not answer as an OpenID Connect provider");
  // Section 4.3: another one could otherwise speak for it.
  if (metadata.issuer !== issuer)
    return failed(false, `it calls itself ${metadata.issuer}; OIDC_ISSUER must be exactly that`);
  const exposed = endpoints(metadata).filter((address) => !isSafe(address, issuer));
  if (exposed.length > 0)
    return failed(false, `it has unencrypted endpoints: ${exposed.join(", ")}`);
  return { outcome: "found", metadata };
}

function parse(text: string): ProviderMetadata | null {
  try {
    return metadataSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function endpoints(metadata: ProviderMetadata): string[] {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  const all = [authorization_endpoint, token_endpoint, jwks_uri];
  return userinfo_endpoint === undefined ? all : [...all, userinfo_endpoint];
}

/** https; or, where the issuer itself has no TLS and so is on this machine, the issuer's host. */
function isSafe(address: string, issuer: string): boolean {
  if (!URL.canParse(address)) return false;
  const [url, own] = [new URL(address), new URL(issuer)];
  return url.protocol === "https:" || (own.protocol === "http:" && url.host === own.host);
}

function failed(unreachable: boolean, why: string): Discovery {
  return {
    outcome: "failed",
    reason: unreachable ? "provider_unreachable" : "misconfigured",
    why: why.slice(0, 500),
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
