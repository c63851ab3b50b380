import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secret } from "@/lib/platform/runtime/secret";
import { wireAnswer } from "@/lib/platform/payment-service/testing/wire-answer";
import { upstreamText } from "./body";

const says = (error: unknown, secrets: string[] = []) =>
  upstreamText(
    wireAnswer(400, { error }),
    secrets.map((secret) => new Secret(secret)),
  );

it.each([
  ["its error text", "Unsupported grant type", "Unsupported grant type"],
  ["nothing where it is empty", "", undefined],
  ["nothing where it is no text", 42, undefined],
  ["at most 200 characters", "x".repeat(500), "x".repeat(200)],
  ["no half of a character", `x${"𝒳".repeat(500)}`, `x${"𝒳".repeat(99)}`],
  // Threats: a forged log line, a terminal's escapes.
  ["one line", "one\r\n\ttwo\u0000\u001b[31mred\u0007", "one two[31mred"],
  // Threat: a text that reads otherwise.
  ["nothing that hides", "safe\u202Eelbon\u2066\u200B\uFEFF\u00AD\uD800!", "safeelbon!"],
])("what the service says is %s", (_what, error, shown) => {
  expect(says(error)).toBe(shown);
});

it("says nothing where the body is not the contract's", () => {
  expect(upstreamText(wireAnswer(400, "<h1>Bad</h1>"), [])).toBeUndefined();
  const page = wireAnswer(400, { error: "x" }, { "content-type": "text/html" });
  expect(upstreamText(page, [])).toBeUndefined();
});

describe("a secret in what the service says", () => {
  const secret = "s3cret-of-aurora";

  it.each([
    ["whole", `wrong secret ${secret}!`, "wrong secret [secret]!"],
    ["in other case", `wrong secret ${secret.toUpperCase()}`, "wrong secret [secret]"],
    ["twice", `${secret} is not ${secret}`, "[secret] is not [secret]"],
    ["cut short", "wrong secret s3cret-of…", "wrong secret [secret]…"],
    ["split by a control character", "s3cret\u0000-of-aurora", "[secret]"],
    ["in Base64", Buffer.from(secret).toString("base64"), "[secret]"],
  ])("is masked: %s", (_how, text, shown) => {
    expect(says(text, [secret])).toContain(shown);
    expect(says(text, [secret])).not.toMatch(/s3cret-o|czNjcmV0/i);
  });

  it("is masked when it is percent-encoded, or short", () => {
    expect(says("got p%C3%A3o%20de%20queijo", ["pão de queijo"])).toBe("got [secret]");
    expect(says("the pin is 1234", ["1234"])).toBe("the pin is [secret]");
  });

  it("never shows eight characters of it in a row, wherever it stands and whatever is around it", () => {
    const text = fc.string({ unit: "grapheme-ascii", maxLength: 120 });
    always(
      2_000,
      text,
      text,
      fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 60 }),
      fc.nat(20),
      (before, after, value, from) => {
        const said = says(`${before}${value.slice(from)}${after}`, [value]) ?? "";
        for (let i = 0; i + 8 <= value.length; i += 1) {
          const piece = value.slice(i, i + 8);
          // Runs of spaces are shown as one, in the text and in the comparison.
          if (/ {2}|^ | $/.test(piece) || "[secret]".includes(piece)) continue;
          expect(said).not.toContain(piece);
        }
      },
    );
  });
});
