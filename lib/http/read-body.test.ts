import { ProblemError } from "@/lib/problem";
import { expect, it } from "vitest";
import { readAtMost } from "./read-body";

function requestWith(parts: (stream: ReadableStreamDefaultController<Uint8Array>) => void) {
  const body = new ReadableStream<Uint8Array>({ start: parts });
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

it("stops at its limit, however the body is divided", async () => {
  const request = requestWith((stream) => {
    for (let part = 0; part < 11; part += 1) stream.enqueue(Buffer.alloc(10));
    stream.close();
  });
  await expect(readAtMost(request, 100).catch(codeOf)).resolves.toBe("body_too_large");
});
