import { expect, it } from "vitest";
import { failureOf, providerFailure, reasonForLog } from "./failure-of";

/** As openid-client and Node make them. */
const thrown = (name: string, message: string, code?: string) =>
  Object.assign(new Error(message), { name, ...(code && { code }) });

it.each([
  [thrown("OPError", "invalid_grant (grant request is invalid)"), "expired"],
  [thrown("OPError", "invalid_client"), "misconfigured"],
  [thrown("OPError", "expected 200 OK, got: 503 Service Unavailable"), "provider_unreachable"],
  [thrown("OPError", "something_new"), "failed"],
  [thrown("OPError", "constructor"), "failed"],
  [thrown("RPError", "outgoing request timed out after 5000ms"), "provider_unreachable"],
  [thrown("RPError", "state mismatch, expected a, got: b"), "expired"],
  [thrown("RPError", "nonce mismatch, expected a, got: b"), "expired"],
  [thrown("RPError", "JWT expired, now 2, exp 1"), "expired"],
  [thrown("RPError", "iss mismatch, expected a, got: b"), "misconfigured"],
  [thrown("RPError", "failed to validate JWT signature"), "misconfigured"],
  [thrown("Error", "connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED"), "provider_unreachable"],
  [
    thrown("Error", "self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"),
    "provider_unreachable",
  ],
  [thrown("TypeError", "argument", "ERR_INVALID_ARG_TYPE"), "failed"],
  ["a text", "failed"],
])("knows what to tell about %s", (error, failure) => {
  expect(failureOf(error)).toBe(failure);
});

it("distinguishes a person who cancelled from a provider that fails", () => {
  expect(providerFailure("access_denied")).toBe("cancelled");
  expect(providerFailure("temporarily_unavailable")).toBe("provider_unreachable");
  expect(providerFailure("<script>")).toBe("failed");
});

it("logs the reason without the values (threat: a nonce or a token in the log)", () => {
  expect(reasonForLog(thrown("RPError", "nonce mismatch, expected s3cret, got: other"))).toBe(
    "RPError: nonce mismatch",
  );
});
