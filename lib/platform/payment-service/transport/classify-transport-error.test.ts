import { describe, expect, it } from "vitest";
import { classifyTransportError } from "./transport";

const withCode = (code: unknown) => Object.assign(new Error("x"), { code });

// What can be brought about over a real socket is shown in connecting.test.ts and client-faults.test.ts.
describe("an error of the transport", () => {
  it.each([
    ["EAI_AGAIN", "name_not_found"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "certificate_untrusted"],
    ["CERT_NOT_YET_VALID", "certificate_expired"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate_untrusted"],
    ["CERT_REVOKED", "certificate_untrusted"],
    ["ETIMEDOUT", "upstream_timeout"],
    ["EHOSTUNREACH", "connection_failed"],
    ["a code of tomorrow", "connection_failed"],
    [7, "connection_failed"],
  ])("with code %j is %s", (code, fault) => {
    expect(classifyTransportError(withCode(code))).toBe(fault);
  });

  it("for several addresses is the one that says most", () => {
    const all = [withCode("ENETUNREACH"), withCode("ECONNREFUSED"), withCode("ENETUNREACH")];
    expect(classifyTransportError(new AggregateError(all))).toBe("connection_refused");
    expect(classifyTransportError(new AggregateError([withCode("ENETUNREACH")]))).toBe(
      "connection_failed",
    );
  });

  it("that is none is a failed connection", () => {
    expect(classifyTransportError("reset")).toBe("connection_failed");
    expect(classifyTransportError(new Error("x"))).toBe("connection_failed");
  });
});
