import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { weaknessOf } from "./authorization-weakness";
import { generateAuthorization } from "./authorization-value";

describe("an Authorization value is called easy to guess", () => {
  it.each([
    ["<your token here>", "weak_placeholder"],
    ["Bearer <token>", "weak_placeholder"],
    ["Bearer {{WEBHOOK_TOKEN}}", "weak_placeholder"],
    ["${WEBHOOK_SECRET}", "weak_placeholder"],
    ["Bearer your-secret-token", "weak_placeholder"],
    ["changeme", "weak_placeholder"],
    ["Token troque-este-valor", "weak_placeholder"],
    ["x", "weak_short"],
    ["Bearer x", "weak_short"],
    ["123456", "weak_short"],
    ["Bearer 8f2kQm3vTz1", "weak_short"],
    ["Basic dXNlcjpwYXNz", "weak_short"],
    [`Basic ${btoa("a-long-user-name-of-a-receiver:hunter2")}`, "weak_short"],
    ["aaaaaaaaaaaaaaaaaaaaaaaa", "weak_repetitive"],
    ["Bearer 1212121212121212121", "weak_repetitive"],
    ["Bearer my-webhook-test-token-2026", "weak_words"],
    ["pix-webhook-secret-producao", "weak_words"],
    ["Bearer abcdefghijklmnopqrstuvwxyz", "weak_words"],
    ["Bearer 12345678901234567890", "weak_words"],
    ["senha123senha123senha123", "weak_words"],
  ])("where it is: %s", (value, weakness) => {
    expect(weaknessOf(value)).toBe(weakness);
  });

  it.each([
    "Bearer sk_live_51H8xQ2eZvKYlo2C",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    `Basic ${btoa("gancho:Tz1pQm3v-8f2kW9x")}`,
    "correct horse battery staple",
  ])("and not where it is not: %s", (value) => {
    expect(weaknessOf(value)).toBeUndefined();
  });

  it("and never where Gancho made it", () => {
    const drawn = ["QQMyKeyQQ", "Your_Token", ""].map((word) =>
      Buffer.from(word.padEnd(43, "Tz1pQm3v8f2kW9x"), "base64url"),
    );
    const random = vi.spyOn(crypto, "getRandomValues");
    for (const bytes of drawn)
      random.mockImplementationOnce((into) => {
        if (into instanceof Uint8Array) into.set(bytes);
        return into;
      });
    const value = generateAuthorization();
    expect(random).toHaveBeenCalledTimes(3);
    random.mockRestore();
    expect(weaknessOf(value)).toBeUndefined();
  });

  it("and all but never where 16 random bytes are written in hexadecimal", () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const hexadecimal = bytes.map((all) => Buffer.from(all).toString("hex"));
    // Unlike fast-check's own, not biased to small numbers.
    const random = fc.noBias(hexadecimal);
    const weak = fc.sample(random, 5_000).filter((text) => weaknessOf(`Bearer ${text}`));
    expect(weak.length).toBeLessThanOrEqual(5);
  });
});
