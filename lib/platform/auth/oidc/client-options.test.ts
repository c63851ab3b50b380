import { expect, it } from "vitest";
import { clientOptions } from "./client-options";

it("assumes what the specification does of a provider that says nothing", () => {
  expect(clientOptions({})).toEqual({
    token_endpoint_auth_method: "client_secret_basic",
    id_token_signed_response_alg: "RS256",
  });
});

it("takes what a provider offers instead, but never a signature that needs no key of the provider's", () => {
  const offer = {
    token_endpoint_auth_methods_supported: ["client_secret_post", "none"],
    id_token_signing_alg_values_supported: ["none", "HS256", "ES256"],
  };
  expect(clientOptions(offer)).toEqual({
    token_endpoint_auth_method: "client_secret_post",
    id_token_signed_response_alg: "ES256",
  });
  expect(clientOptions({ id_token_signing_alg_values_supported: ["none", "HS256"] })).toMatchObject(
    { id_token_signed_response_alg: "RS256" },
  );
});
