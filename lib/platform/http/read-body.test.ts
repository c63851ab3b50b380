import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseStrictJson, readAtMost, readJsonText } from "./read-body";

type Write = (stream: ReadableStreamDefaultController<Uint8Array>) => void;

/** `whenAsked`: writes as often as somebody reads; otherwise once. */
function requestWith(write: Write, whenAsked = false) {
  const body = new ReadableStream<Uint8Array>(whenAsked ? { pull: write } : { start: write });
  const init = { method: "POST", body, duplex: "half" };
  return new Request("http://localhost/", init);
}

const jsonSentAs = (type: string, headers: object, body: BodyInit = "{}") =>
  readJsonText(
    new Request("http://localhost/", {
      method: "POST",
      body,
      headers: { "content-type": type, ...headers },
    }),
  );

it("treats half a body as a malformed request (threat: filling the log with failures by hanging up)", async () => {
  const request = requestWith((stream) => {
    stream.enqueue(Buffer.from('{"half'));
    stream.error(new Error("aborted"));
  });
  expect(await codeOf(readAtMost(request, 100))).toBe("malformed_request");
});

it.each([
  ["application/json", {}],
  ["Application/JSON ; charset=UTF-8", {}],
  ['application/json;charset="utf8"', { "content-encoding": "identity" }],
])("reads JSON sent as %s", async (type, headers) => {
  expect(await jsonSentAs(type, headers)).toBe("{}");
});

it.each([
  ["application/json; charset=utf-16", {}],
  ["application/json; charset=utf-7", {}],
  ["application/jsonp", {}],
  ["application/json", { "content-encoding": "identity, gzip" }],
  ["application/json; charset=utf-8; charset=utf-16", {}],
  ["application/json, text/plain", {}],
  ["text/plain;application/json", {}],
  ["application/json", { "content-encoding": "gzip" }],
  ["", {}],
  ["text/plain", {}],
  ["application/x-www-form-urlencoded", {}],
  ["multipart/form-data; boundary=x", {}],
])(
  "refuses what is sent as %s %j (threats: a reader in front of us who sees something else in it; forms of other sites, which need no preflight)",
  async (type, headers) => {
    expect(await codeOf(jsonSentAs(type, headers))).toBe("unsupported_media_type");
  },
);

it.each([
  ["a byte order mark", Buffer.from("\uFEFF{}"), "malformed_request"],
  ["a key that is not UTF-8", Buffer.from('{"\xff\xfe":1}', "latin1"), "malformed_request"],
  ["UTF-16", Buffer.from("{}", "utf16le"), "malformed_request"],
  ["more than 16 KiB", Buffer.alloc(16 * 1024 + 1, " "), "body_too_large"],
])("refuses JSON with %s", async (_what, body, code) => {
  const read = jsonSentAs("application/json", {}, body).then(parseStrictJson);
  expect(await codeOf(read)).toBe(code);
});

it("stops reading an endless body (threat: a body without an end)", async () => {
  const part = Buffer.alloc(1_024);
  const request = requestWith((stream) => stream.enqueue(part), true);
  expect(await codeOf(readAtMost(request, 100))).toBe("body_too_large");
});

it("reads whatever JSON.stringify writes of shallow values", () => {
  const key = fc.string().filter((k) => !["__proto__", "constructor", "prototype"].includes(k));
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()));
  const shallow = fc.dictionary(key, value, { noNullPrototype: true });
  always(1_000, shallow, (value) => {
    expect(parseStrictJson(JSON.stringify(value))).toEqual(value);
  });
});

it.each([
  ["the same key twice (threat: two readers picking different ones)", '{"url":"a","url":"b"}'],
  ["the same key twice, once escaped", '{"url":"a","\\u0075rl":"b"}'],
  ["the same key twice in an inner object", '[{"a":{"b":1,"b":2}}]'],
  ["__proto__ (threat: prototype pollution)", '{"__proto__":{"admin":true}}'],
  ["__proto__ written with an escape", '{"__prot\\u006f__":1}'],
  ["__proto__ further inside, or in a list", '{"a":[{"__proto__":{"action":"keep"}}]}'],
  ["constructor", '{"constructor":1}'],
  ["prototype", '{"prototype":{}}'],
  ["nine levels (threat: exhausting a parser)", "[".repeat(9) + "]".repeat(9)],
  ["nine levels of objects", '{"a":'.repeat(9) + "1" + "}".repeat(9)],
  ["no JSON", "{url:1}"],
  ["two texts", "{}{}"],
  ["a comment", "{/**/}"],
  ["nothing", ""],
])("refuses %s", (_name, text) => {
  expect(() => parseStrictJson(text)).toThrow(
    expect.objectContaining({ code: "malformed_request" }) as Error,
  );
});

it("does not mistake the inside of a string for structure", () => {
  expect(parseStrictJson('{"a":"\\"}{[[[[[[[[[[:a","b":"a"}')).toEqual({
    a: '"}{[[[[[[[[[[:a',
    b: "a",
  });
});
