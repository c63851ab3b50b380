import { describe, expect, it } from "vitest";
import { checkCallbackTarget } from "./callback-target";

const onlyPublic = { allowPrivateTargets: false };
const anywhere = { allowPrivateTargets: true };

describe("where a callback may lead", () => {
  it("is a public name, without a word", () => {
    expect(checkCallbackTarget("https://hooks.aurora.example/pix", onlyPublic)).toEqual({
      ok: true,
      origin: "https://hooks.aurora.example",
      warnings: [],
    });
  });

  it("is a public address, with a warning", () => {
    expect(checkCallbackTarget("https://8.8.8.8/pix", onlyPublic)).toMatchObject({
      ok: true,
      warnings: ["ip_address"],
    });
  });

  it.each([
    "https://127.0.0.1/",
    "https://169.254.169.254/latest",
    "https://[::1]/",
    "https://localhost/",
    "https://db/",
  ])("is not the inside of a network, where a payment message has no business: %s", (raw) => {
    expect(checkCallbackTarget(raw, onlyPublic)).toEqual({ ok: false, code: "private_host" });
    expect(checkCallbackTarget(raw, anywhere)).toMatchObject({
      ok: true,
      warnings: ["private_host"],
    });
  });

  it("rejects what DNS can never answer, even where private hosts are allowed", () => {
    expect(checkCallbackTarget("https://a..example/", anywhere)).toEqual({
      ok: false,
      code: "bad_host",
    });
  });

  it("does not suggest the plain form of an address that was disguised to lead inside", () => {
    expect(checkCallbackTarget("https://0x7f.1/", onlyPublic)).toEqual({
      ok: false,
      code: "disguised_host",
    });
    expect(checkCallbackTarget("https://0x7f.1/", anywhere)).toEqual({
      ok: false,
      code: "disguised_host",
      suggestion: "https://127.0.0.1/",
    });
  });

  it("comes with the address that was probably meant", () => {
    expect(checkCallbackTarget("http://hooks.aurora.example/pix", onlyPublic)).toEqual({
      ok: false,
      code: "not_https",
      suggestion: "https://hooks.aurora.example/pix",
    });
  });
});
