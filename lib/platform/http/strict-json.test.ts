import { ProblemError } from "@/lib/platform/http/model/problem";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseStrictJson } from "./read-body";

function refusal(text: string): string {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
    throw error;
  }
  return "accepted";
}

it("reads whatever JSON.stringify writes of shallow values", () => {
  const key = fc.string().filter((k) => !["__proto__", "constructor", "prototype"].includes(k));
  const shallow = fc.dictionary(
    key,
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())),
    {
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(shallow, (value) => {
      expect(parseStrictJson(JSON.stringify(value))).toEqual(value);
    }),
  );
});

it.each([
  ["the same key twice (threat: two readers picking different ones)", '{"url":"a","url":"b"}'],
  ["the same key twice, once escaped", '{"url":"a","\\u0075rl":"b"}'],
  ["the same key twice in an inner object", '[{"a":{"b":1,"b":2}}]'],
  ["__proto__ (threat: prototype pollution)", '{"__proto__":{"admin":true}}'],
  ["__proto__ written with an escape", '{"__prot\\u006f__":1}'],
  ["constructor", '{"constructor":1}'],
  ["nine levels (threat: exhausting a parser)", "[".repeat(9) + "]".repeat(9)],
  ["no JSON", "{url:1}"],
  ["nothing", ""],
])("refuses %s", (_name, text) => {
  expect(refusal(text)).toBe("malformed_request");
});

it("does not mistake the inside of a string for structure", () => {
  expect(parseStrictJson('{"a":"\\"}{[[[[[[[[[[:a","b":"a"}')).toEqual({
    a: '"}{[[[[[[[[[[:a',
    b: "a",
  });
});
