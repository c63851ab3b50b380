import { ProblemError } from "@/lib/platform/http/model/problem";
import { expect, it } from "vitest";
import { readAtMost, readJsonText } from "./read-body";

type Write = (stream: ReadableStreamDefaultController<Uint8Array>) => void;

/** `whenAsked`: writes as often as somebody reads; otherwise once. */
function requestWith(write: Write, whenAsked = false) {
  const body = new ReadableStream<Uint8Array>(whenAsked ? { pull: write } : { start: write });
  const init = { method: "POST", body, duplex: "half" };
  return new Request("http://localhost/", init);
}

const codeOf = (thrown: unknown) => (thrown instanceof ProblemError ? thrown.code : thrown);

it("calls half a body a request that cannot be read (threat: filling the log with failures by hanging up)", async () => {
  const request = requestWith((stream) => {
    stream.enqueue(Buffer.from('{"half'));
    stream.error(new Error("aborted"));
  });
  await expect(readAtMost(request, 100).catch(codeOf)).resolves.toBe("malformed_request");
});

it.each([
  ["application/json", {}],
  ["Application/JSON ; charset=UTF-8", {}],
  ['application/json;charset="utf8"', { "content-encoding": "identity" }],
])("reads JSON sent as %s", async (type, headers) => {
  const init = { method: "POST", body: "{}", headers: { "content-type": type, ...headers } };
  expect(await readJsonText(new Request("http://localhost/", init))).toBe("{}");
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
])(
  "refuses what is sent as %s %j (threat: a reader in front of us who sees something else in it)",
  async (type, headers) => {
    const init = { method: "POST", body: "{}", headers: { "content-type": type, ...headers } };
    const read = readJsonText(new Request("http://localhost/", init));
    await expect(read.catch(codeOf)).resolves.toBe("unsupported_media_type");
  },
);

it("refuses what is over its limit, however the body is divided", async () => {
  const request = requestWith((stream) => {
    for (let part = 0; part < 11; part += 1) stream.enqueue(Buffer.alloc(10));
    stream.close();
  });
  await expect(readAtMost(request, 100).catch(codeOf)).resolves.toBe("body_too_large");
});

it("does not read on for ever (threat: a body without an end)", async () => {
  const part = Buffer.alloc(1_024);
  const request = requestWith((stream) => stream.enqueue(part), true);
  await expect(readAtMost(request, 100).catch(codeOf)).resolves.toBe("body_too_large");
});
