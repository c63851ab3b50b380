import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { classifyTransportError, decodeBody } from "./transport";

const text = Buffer.from("{}".repeat(100));
const zipped = gzipSync(text);
const whole = { state: "whole", bytes: text };
const unreadable = { state: "unreadable" };

it.each([
  [undefined, text, whole],
  ["", text, whole],
  ["identity", text, whole],
  ["Identity", text, whole],
  ["gzip", zipped, whole],
  ["x-gzip", zipped, whole],
  ["GZIP", zipped, whole],
  ["br", zipped, unreadable],
  ["deflate", zipped, unreadable],
  ["gzip, gzip", zipped, unreadable],
  // Half of it.
  ["gzip", zipped.subarray(0, 15), unreadable],
  // A bomb.
  ["gzip", gzipSync(Buffer.alloc(8 * 1024 * 1024)), { state: "too_large" }],
])("encoded as %j: %#", async (encoding, bytes, decoded) => {
  expect(await decodeBody(bytes, encoding, 64 * 1024)).toEqual(decoded);
});

const withCode = (code: unknown) => Object.assign(new Error("x"), { code });
const unreachable = withCode("ENETUNREACH");

// Errors that a real socket can cause are in connecting.test.ts and client-faults.test.ts.
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
])("classifies error %# of the transport", (error, fault) => {
  expect(classifyTransportError(error)).toBe(fault);
});
