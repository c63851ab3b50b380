import { cases } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseStrictJson } from "./strict-json";

test("JSON of any shape is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseStrictJson(text)).toEqual({ value: JSON.parse(text) });
    }),
    cases(2_000),
  );
});

test("an object with one of its keys twice is refused, however deep it stands", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.nat({ max: 5 }),
      (object, depth) => {
        const [key = ""] = Object.keys(object);
        const twice = `${JSON.stringify(object).slice(0, -1)} , ${JSON.stringify(key)}:0}`;
        const nested = '{"x":['.repeat(depth) + twice + "]}".repeat(depth);
        expect(parseStrictJson(nested)).toBeNull();
      },
    ),
    cases(2_000),
  );
});

test.each([
  ['{"a":1,"a":1}', "as it is"],
  ['{"a":1,"\\u0061":2}', "behind an escape"],
  ['{"a":{},"b":"}","a":2}', "behind a nested object"],
  ['[{"a":"\\"","a":2}]', "behind an escaped quote"],
])("%s has a key twice, %s", (text) => {
  expect(parseStrictJson(text)).toBeNull();
});

test.each([
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":2}]',
  '{"a":"a","b":["a","a"]}',
  '{"a":"\\"a\\":1"}',
])("%s has no key twice", (text) => {
  expect(parseStrictJson(text)).toEqual({ value: JSON.parse(text) });
});

test.each(["", " ", "{", "{'a':1}", "\uFEFF{}", "NaN", '{"a":1,}', '{"a":1}x', "undefined"])(
  "%j is not JSON",
  (text) => {
    expect(parseStrictJson(text)).toBeNull();
  },
);

test("__proto__ is a key like any other: what is made of the text inherits nothing from it", () => {
  const parsed = parseStrictJson('{"__proto__":{"admin":true}}');
  expect(Object.getPrototypeOf(parsed?.value)).toBe(Object.prototype);
  expect(Object.keys(Object(parsed?.value))).toEqual(["__proto__"]);
});

test("deep nesting does not exhaust the stack", () => {
  const depth = 8_000;
  expect(parseStrictJson("[".repeat(depth) + "]".repeat(depth))).not.toBeNull();
});
