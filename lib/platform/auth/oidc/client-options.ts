import "server-only";
import type { ProviderMetadata } from "./discovery";

type Offer = Pick<
  ProviderMetadata,
  "token_endpoint_auth_methods_supported" | "id_token_signing_alg_values_supported"
>;

/** How the dashboard authenticates, and how ID tokens have to be signed: by what the provider offers. */
export function clientOptions(offer: Offer): {
  token_endpoint_auth_method: "client_secret_basic" | "client_secret_post";
  id_token_signed_response_alg: string;
} {
  return {
    token_endpoint_auth_method: authMethod(offer.token_endpoint_auth_methods_supported),
    id_token_signed_response_alg: algorithm(offer.id_token_signing_alg_values_supported ?? []),
  };
}

/** The specification assumes HTTP Basic of a provider that names none. */
function authMethod(offered: readonly string[] = ["client_secret_basic"]) {
  return offered.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post";
}

/** RS256, which every provider must have, or else the first asymmetric one. */
function algorithm(offered: readonly string[]): string {
  if (offered.includes("RS256")) return "RS256";
  return offered.find((name) => /^(RS|PS|ES|EdDSA)/.test(name)) ?? "RS256";
}
