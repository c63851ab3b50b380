import { limits } from "@/lib/platform/payment-service/contract/terms";
import { always, cases } from "@/lib/platform/runtime/testing/thorough";
import { randomSecrets } from "@/lib/platform/secrets/model/testing/random-secrets";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkAuthorizationValue, generateAuthorization } from "./authorization-value";
import { nearMissAuthorizations } from "./testing/near-misses";

function codeOf(value: string) {
  const check = checkAuthorizationValue(value);
  return check.ok ? "ok" : check.code;
}

it.each([
  "x",
  "Bearer 8f2kQ",
  "Basic dXNlcjpwYXNz",
  "two  words",
  "a".repeat(100),
  "Bearer a*b",
  "1.2.3",
])("an Authorization value is accepted: %s", (value) => {
  expect(codeOf(value)).toBe("ok");
});

it.each([
  ["", "required"],
  ["  ", "required"],
  [" x", "surrounding_space"],
  ["x ", "surrounding_space"],
  ["a".repeat(101), "too_long"],
  ["sênha", "not_printable"],
  ["a\r\nX-Injected: 1", "line_break"],
])("the Authorization value %j is refused as %s", (value, code) => {
  expect(codeOf(value)).toBe(code);
});

it.each([
  "••••••••••••",
  "************",
  "Bearer ••••••••",
  "Bearer ********",
  "Basic ...",
  "…",
  "[secret]",
  "Bearer [redacted]",
  "<hidden>",
  "fp 9c41 e07d",
  " ******** ",
])("a mask that a screen showed cannot be saved over the real value: %s", (value) => {
  expect(codeOf(value)).toBe("masked");
});

it("an Authorization value with a space at an end comes with the value that was probably meant", () => {
  expect(checkAuthorizationValue(" Bearer x ")).toMatchObject({ suggestion: "Bearer x" });
  expect(checkAuthorizationValue(` ${"é".repeat(3)}`)).not.toHaveProperty("suggestion");
});

it.each([
  "Bearer {TOKEN}",
  "Bearer ${WEBHOOK_SECRET}",
  "<token>",
  "Bearer <your token>",
  "Bearer YOUR_TOKEN",
  "Token token={TOKEN}",
  '"Bearer {TOKEN}"',
  "Bearer undefined",
  "Bearer [object Object]",
])("a placeholder cannot be saved as the value: %s", (value) => {
  expect(checkAuthorizationValue(value)).toEqual({ ok: false, code: "placeholder" });
});

it.each([
  "Bearer ****1234",
  "<omitted>",
  "“Bearer ****1234”",
  "Bearer ****\u200b1234",
  "Bearer xxxxxxxx",
])("a mask is refused with its end visible, and however it was copied: %s", (value) => {
  expect(checkAuthorizationValue(value)).toEqual({ ok: false, code: "masked" });
});

it.each(["Bearer", "basic", '"Bearer"', "Authorization: Bearer", "Bearer Bearer"])(
  "a scheme alone cannot be saved as the value: %s",
  (value) => {
    expect(checkAuthorizationValue(value)).toEqual({ ok: false, code: "scheme_alone" });
  },
);

it.each([
  ["Authorization: Bearer x", "header_name", "Bearer x"],
  ['"authorization": "Bearer x"', "header_name", "Bearer x"],
  ['"Bearer abc"', "quoted", "Bearer abc"],
  ["'Bearer abc'", "quoted", "Bearer abc"],
  ['Bearer "abc"', "quoted", "Bearer abc"],
  ["Bearer Bearer abc123", "scheme_twice", "Bearer abc123"],
  ["Basic basic dXNlcjpwYXNz", "scheme_twice", "basic dXNlcjpwYXNz"],
])(
  "what is probably a mistake is asked about, with what was probably meant: %s",
  (value, doubt, suggestion) => {
    expect(checkAuthorizationValue(value)).toEqual({ ok: true, warnings: [doubt], suggestion });
  },
);

it.each([
  ["Bearer Basic dXNlcjpwYXNz", "scheme_twice"],
  ["Bearer token", "word_for_secret"],
  ["secret", "word_for_secret"],
  ['Bearer "token"', "quoted"],
])(
  "what is probably a mistake is asked about, without a guess where nothing tells: %s",
  (value, doubt) => {
    expect(checkAuthorizationValue(value)).toEqual({ ok: true, warnings: [doubt] });
  },
);

it.each([
  ["Bearer a\u00a0b", "Bearer a b"],
  ["Bearer\u00a0abc", "Bearer abc"],
  ["Bearer 8f2k–Q", "Bearer 8f2k-Q"],
  ["“Bearer abc”", "Bearer abc"],
  ["Bearer it’s", "Bearer it's"],
  ["Ｂearer abc", "Bearer abc"],
])(
  "characters that look like plain ones are refused, with the plain form: %s",
  (value, suggestion) => {
    expect(checkAuthorizationValue(value)).toEqual({
      ok: false,
      code: "not_printable",
      suggestion,
    });
  },
);

it("a value that happens to have a short word between brackets is accepted without a question", () => {
  for (const value of ["00000000<Me>0000", "Bearer q7{ID}kP0s-8Vd"])
    expect(checkAuthorizationValue(value)).toEqual({ ok: true, warnings: [] });
});

it("a random value with any scheme is accepted without a question, unless it happens to be quoted", () => {
  const scheme = fc.constantFrom("", "Bearer ", "Basic ", "Token ", "ApiKey ", "HMAC-SHA256 ");
  fc.assert(
    fc.property(scheme, randomSecrets, (before, secret) => {
      fc.pre(!/^(["'`]).*\1$/.test(secret));
      const found = checkAuthorizationValue((before + secret).slice(0, limits.authorization));
      return found.ok && found.warnings.length === 0 && found.suggestion === undefined;
    }),
    cases(300_000),
  );
});

it("a suggestion passes the rule without a question, and is not what was entered", () => {
  always(3_000, nearMissAuthorizations, (value) => {
    const { suggestion } = checkAuthorizationValue(value);
    fc.pre(suggestion !== undefined);
    expect(checkAuthorizationValue(suggestion)).toEqual({ ok: true, warnings: [] });
    expect(suggestion).not.toBe(value);
  });
});

it("a very long value is answered at once (threat: a pattern that takes long)", () => {
  const long = ["x", "Bearer ", "*", "{", "my"].map((text) => text.repeat(100_000));
  const started = performance.now();
  for (const value of long) expect(codeOf(`${value}!`)).toBe("too_long");
  expect(performance.now() - started).toBeLessThan(1_000);
});

it("an Authorization value generated by Gancho has 256 bits, follows the rule and is never the same", () => {
  const values = Array.from({ length: 200 }, generateAuthorization);
  for (const value of values) {
    expect(value).toMatch(/^Bearer [A-Za-z0-9_-]{43}$/);
    expect(codeOf(value)).toBe("ok");
  }
  expect(new Set(values).size).toBe(values.length);
});
