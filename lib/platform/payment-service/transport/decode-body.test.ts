import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { decodeBody } from "./transport";

const text = Buffer.from("{}".repeat(100));
const zipped = gzipSync(text);
const whole = { state: "whole", bytes: text };
const unreadable = { state: "unreadable" };

it.each([
  [undefined, text, whole],
  ["", text, whole],
  ["identity", text, whole],
  ["Identity", text, whole],
  ["gzip", zipped, whole],
  ["x-gzip", zipped, whole],
  ["GZIP", zipped, whole],
  ["br", zipped, unreadable],
  ["deflate", zipped, unreadable],
  ["gzip, gzip", zipped, unreadable],
  // Half of it.
  ["gzip", zipped.subarray(0, 15), unreadable],
  // A bomb.
  ["gzip", gzipSync(Buffer.alloc(8 * 1024 * 1024)), { state: "too_large" }],
])("encoded as %j: %#", async (encoding, bytes, decoded) => {
  expect(await decodeBody(bytes, encoding, 64 * 1024)).toEqual(decoded);
});
