import { describe, expect, it } from "vitest";
import { BodyCollector, readBounded } from "./bounded-body";

describe("collecting", () => {
  it("takes a body up to the limit, however it is cut", () => {
    const collector = new BodyCollector(10_000);
    for (let i = 0; i < 10_000; i += 1) expect(collector.add(Buffer.of(i % 256))).toBe(true);
    expect(collector.collected).toHaveLength(10_000);
    expect(collector.collected[9_999]).toBe(9_999 % 256);
    expect(collector.add(Buffer.of(0))).toBe(false);
  });

  it("keeps nothing of a body that is too large", () => {
    const collector = new BodyCollector(10);
    collector.add(Buffer.alloc(10));
    expect(collector.add(Buffer.of(1))).toBe(false);
    expect(collector.collected.buffer.byteLength).toBe(0);
  });
});

describe("reading", () => {
  async function* pieces(count: number, size: number, asked: { count: number }) {
    for (; asked.count < count; asked.count += 1) yield new Uint8Array(size);
  }

  it("returns a body that fits, also an empty one", async () => {
    expect(await readBounded(pieces(4, 5, { count: 0 }), 20)).toHaveLength(20);
    expect(await readBounded(pieces(0, 5, { count: 0 }), 20)).toHaveLength(0);
  });

  it("stops reading one that does not (threat: a body without end)", async () => {
    const asked = { count: 0 };
    expect(await readBounded(pieces(1_000, 5, asked), 20)).toBeNull();
    expect(asked.count).toBe(4);
  });

  it("reads a little beyond the limit, and no further", async () => {
    const asked = { count: 0 };
    expect(await readBounded(pieces(1_000, 5, asked), 20, 100)).toBeNull();
    expect(asked.count).toBe(20);
  });
});
