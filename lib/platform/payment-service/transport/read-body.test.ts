import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { BodyCollector, decodeBody } from "./read-body";

describe("collecting", () => {
  it("takes a body up to the limit, however it is cut", () => {
    const collector = new BodyCollector(10_000);
    for (let i = 0; i < 10_000; i += 1) expect(collector.add(Buffer.of(i % 256))).toBe(true);
    expect(collector.collected).toHaveLength(10_000);
    expect(collector.collected[9_999]).toBe(9_999 % 256);
    expect(collector.add(Buffer.of(0))).toBe(false);
  });

  it("keeps bytes, not pieces: a body in pieces of one byte costs no more than the limit", () => {
    const collector = new BodyCollector(10_000);
    for (let i = 0; i < 10_000; i += 1) collector.add(Buffer.of(1));
    expect(collector.collected.buffer.byteLength).toBeLessThanOrEqual(10_000);
  });

  it("keeps nothing of a body that is too large", () => {
    const collector = new BodyCollector(10);
    collector.add(Buffer.alloc(10));
    expect(collector.add(Buffer.of(1))).toBe(false);
    expect(collector.collected.buffer.byteLength).toBe(0);
  });
});

describe("decoding", () => {
  const text = Buffer.from("{}".repeat(100));

  it.each([undefined, "", "identity", "Identity"])("leaves %j as it is", async (encoding) => {
    expect(await decodeBody(text, encoding, 1_000)).toEqual({ state: "whole", bytes: text });
  });

  it.each(["gzip", "x-gzip", "GZIP"])("undoes %s", async (encoding) => {
    expect(await decodeBody(gzipSync(text), encoding, 1_000)).toEqual({
      state: "whole",
      bytes: text,
    });
  });

  it("stops a bomb at the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(16 * 1024);
    expect(await decodeBody(bomb, "gzip", 64 * 1024)).toEqual({ state: "too_large" });
  });

  it.each(["br", "deflate", "gzip, gzip"])("does not read %s", async (encoding) => {
    expect(await decodeBody(gzipSync(text), encoding, 1_000)).toEqual({ state: "unreadable" });
  });

  it("does not read half of an encoded body", async () => {
    const half = gzipSync(text).subarray(0, 15);
    expect(await decodeBody(half, "gzip", 1_000)).toEqual({ state: "unreadable" });
  });
});
