import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeBody } from "./transport";

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
