import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkAuthorizationValue } from "./authorization-value";
import { checkCallbackUrl, suggestCallbackUrl } from "./callback-url";
import { unusualIn } from "@/lib/platform/http/model/hidden-characters";

const address = "https://hooks.aurora.example/pix/in?tenant=aurora";

/** A line break or tab of any system, with the spaces that mail programs put around it. */
const breaks = fc
  .tuple(
    fc.constantFrom("", " ", "  ", "\u00a0"),
    fc.constantFrom("\n", "\r\n", "\r", "\t", "\n\t", "\u2028", "\u2029", "\u0085", "\v", "\f"),
    fc.constantFrom("", " ", "    "),
  )
  .map((parts) => parts.join(""));

const invisible = fc.constantFrom(
  ..."\u200b\u200c\u200d\u2060\ufeff\u00ad\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u034f\u180e\u3164\ufe0f\0\x7f",
);

/** `text` with some of `pieces` inserted anywhere, also at the ends. */
const copied = (text: string, pieces: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(fc.nat(text.length), pieces), { minLength: 1, maxLength: 5 })
    .map((insertions) =>
      insertions
        .sort(([a], [b]) => b - a)
        .reduce((all, [at, piece]) => all.slice(0, at) + piece + all.slice(at), text),
    );

describe("a copied address", () => {
  it.each([
    ["that spans several lines is refused, and suggested joined", "line_break", breaks],
    [
      "with invisible characters is refused as such, and suggested without them",
      "invisible_character",
      invisible,
    ],
  ])("%s", (_what, code, pieces) => {
    always(1_000, copied(address, pieces), (raw) => {
      expect(checkCallbackUrl(raw)).toEqual({ ok: false, code });
      expect(suggestCallbackUrl(raw)).toBe(address);
      expect(unusualIn(raw)).not.toEqual([]);
    });
  });

  it("with both is suggested clean, in any order", () => {
    always(1_000, copied(address, fc.oneof(breaks, invisible)), (raw) => {
      expect(checkCallbackUrl(raw).ok).toBe(false);
      expect(suggestCallbackUrl(raw)).toBe(address);
    });
  });

  it("never has invisible characters in its suggestion", () => {
    always(1_000, copied("https://a.example/my hook", fc.oneof(breaks, invisible)), (raw) => {
      expect(suggestCallbackUrl(raw) ?? "").not.toMatch(/%(?:0[0-9A-F]|E2%80|EF%BB|C2%AD)/);
    });
  });

  it("keeps a space inside its path, as %20", () => {
    expect(suggestCallbackUrl("https://a.example/my\n  /hook one")).toBe(
      "https://a.example/my/hook%20one",
    );
  });

  it.each([
    ["https://a.example/\r\nb", ["line_break"]],
    ["https://a.example/\tb", ["tab"]],
    [
      "\ufeffhttps://a\u00ad.example/\u200b",
      ["byte_order_mark", "soft_hyphen", "zero_width_space"],
    ],
    [
      "https://a\u202e.example/\u2060\u200d",
      ["direction_mark", "zero_width_space", "zero_width_joiner"],
    ],
    ["https://a.example/\0\u3164", ["control_character", "invisible_character"]],
    [
      "“https://a\u00a0—b.example/\u2009ｘ’",
      ["curly_quote", "no_break_space", "dash", "odd_space", "full_width"],
    ],
    ["https://a.example/", []],
    ["https://ação.example/a b", []],
  ])("%j reports what it contains", (raw, names) => {
    expect(unusualIn(raw)).toEqual(names);
  });
});

describe("a copied Authorization value", () => {
  const value = "Bearer 8f2kQ.m3v";

  it("with a line break or a tab is refused as that, and never joined: it may be two values", () => {
    always(1_000, fc.integer({ min: 1, max: value.length - 1 }), breaks, (at, piece) => {
      const raw = value.slice(0, at) + piece + value.slice(at);
      expect(checkAuthorizationValue(raw)).toEqual({ ok: false, code: "line_break" });
    });
  });

  const around = fc.tuple(breaks, breaks).map(([before, after]) => before + value + after);
  it.each([
    ["line breaks around it", "line_break", around],
    ["characters that cannot be seen", "invisible_character", copied(value, invisible)],
  ])("with %s is suggested without them", (_what, code, copies) => {
    always(1_000, copies, (raw) => {
      expect(checkAuthorizationValue(raw)).toEqual({ ok: false, code, suggestion: value });
    });
  });
});
