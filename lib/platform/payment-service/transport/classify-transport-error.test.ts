import { expect, it } from "vitest";
import { classifyTransportError } from "./transport";

const withCode = (code: unknown) => Object.assign(new Error("x"), { code });
const unreachable = withCode("ENETUNREACH");

// What can be brought about over a real socket is shown in connecting.test.ts and client-faults.test.ts.
it.each([
  [withCode("EAI_AGAIN"), "name_not_found"],
  [withCode("SELF_SIGNED_CERT_IN_CHAIN"), "certificate_untrusted"],
  [withCode("CERT_NOT_YET_VALID"), "certificate_expired"],
  [withCode("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "certificate_untrusted"],
  [withCode("CERT_REVOKED"), "certificate_untrusted"],
  [withCode("ETIMEDOUT"), "upstream_timeout"],
  [withCode("EHOSTUNREACH"), "connection_failed"],
  [withCode("a code of tomorrow"), "connection_failed"],
  [withCode(7), "connection_failed"],
  // For several addresses, the one that says most.
  [new AggregateError([unreachable, withCode("ECONNREFUSED"), unreachable]), "connection_refused"],
  [new AggregateError([unreachable]), "connection_failed"],
  ["reset", "connection_failed"],
  [new Error("x"), "connection_failed"],
])("error %# of the transport is what it says", (error, fault) => {
  expect(classifyTransportError(error)).toBe(fault);
});
