import { always } from "@/lib/platform/runtime/testing/thorough";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { prettyJson } from "./pretty";

it("is what JSON.stringify makes of any value", () => {
  always(500, fc.jsonValue(), (value) => {
    expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });
});

it("changes nothing but white space: long numbers, escapes and repeated keys stay as they came", () => {
  const came = '{"id":12345678901234567890,"id":1.50,"name":"\\u00e9 { \\" ,","none":[ ]}';
  expect(prettyJson(came)).toBe(
    '{\n  "id": 12345678901234567890,\n  "id": 1.50,\n  "name": "\\u00e9 { \\" ,",\n  "none": []\n}',
  );
});

it("is the text as it came where that is nested deeply (threat: a small message that keeps a browser busy)", () => {
  const deep = "[".repeat(30_000) + "]".repeat(30_000);
  expect(prettyJson(deep)).toBe(deep);
  expect(prettyJson("[".repeat(32) + "]".repeat(32))).toBe(
    JSON.stringify(JSON.parse("[".repeat(32) + "]".repeat(32)), null, 2),
  );
});

it("is nothing for text that is no JSON, such as one whose end was cut off", () => {
  expect(prettyJson('{"cut":"of')).toBeNull();
  expect(prettyJson("<p>")).toBeNull();
});
