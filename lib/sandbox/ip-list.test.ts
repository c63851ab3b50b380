import { cases } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isListed, parseIpAddress, parseIpRange, type IpRange } from "./ip-list";

function ranges(...texts: string[]): IpRange[] {
  return texts.map((text) => {
    const range = parseIpRange(text);
    if (!range) throw new Error(`${text} is no range`);
    return range;
  });
}

const listed = (address: string, ...texts: string[]) =>
  isListed(parseIpAddress(address), ranges(...texts));

describe("an address on a list", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.255", "192.0.2.0/24"],
    ["192.0.2.255", "192.0.2.77/24"],
    ["10.255.255.255", "10.0.0.0/8"],
    ["203.0.113.9", "0.0.0.0/0"],
    ["192.0.2.1", "192.0.2.0/31"],
    ["2001:db8::1", "2001:db8::1"],
    ["2001:DB8:0:0::1", "2001:db8::1/128"],
    ["2001:db8:ffff::", "2001:db8::/32"],
    ["2001:db8::1", "::/0"],
    ["::1", "::1"],
    // A dual-stack socket writes IPv4 callers like this.
    ["::ffff:192.0.2.1", "192.0.2.0/24"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["192.0.2.1", "::ffff:192.0.2.0/120"],
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["fe80::1%eth0", "fe80::/10"],
  ])("%s is in %s", (address, range) => {
    expect(listed(address, range)).toBe(true);
  });

  test.each([
    ["192.0.2.2", "192.0.2.1"],
    ["192.0.3.0", "192.0.2.0/24"],
    ["11.0.0.0", "10.0.0.0/8"],
    ["192.0.2.2", "192.0.2.0/31"],
    ["2001:db9::", "2001:db8::/32"],
    ["2001:db8::2", "2001:db8::1"],
    // No IPv6 range matches IPv4 callers, and no IPv4 range IPv6 ones.
    ["192.0.2.1", "::/0"],
    ["::1", "0.0.0.0/0"],
    ["::192.0.2.1", "192.0.2.1"],
  ])("%s is not in %s", (address, range) => {
    expect(listed(address, range)).toBe(false);
  });

  test("the list is searched to its end", () => {
    expect(listed("192.0.2.1", "10.0.0.0/8", "::1", "192.0.2.0/24")).toBe(true);
  });

  test("nothing is on an empty list, and an unknown address on none", () => {
    expect(listed("192.0.2.1")).toBe(false);
    expect(isListed(null, ranges("0.0.0.0/0", "::/0"))).toBe(false);
  });

  test("an IPv4 address is in a range exactly if their first bits agree", () => {
    const bits = fc.integer({ min: 0, max: 0xffffffff });
    const dotted = (number: number) =>
      [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");
    fc.assert(
      fc.property(bits, bits, fc.integer({ min: 0, max: 32 }), (a, flips, prefix) => {
        // Half the cases differ only behind the prefix.
        const b =
          flips % 2 === 0 ? a ^ (prefix === 0 ? flips : (flips >>> 1) >>> (prefix - 1)) : flips;
        const agree = prefix === 0 || a >>> (32 - prefix) === (b >>> 0) >>> (32 - prefix);
        expect(listed(dotted(a), `${dotted(b >>> 0)}/${prefix}`)).toBe(agree);
      }),
      cases(5_000),
    );
  });

  test("an IPv6 address is in a range exactly if their first bits agree", () => {
    const part = fc.constantFrom(0n, 1n, 0x8000n, 0xffffn, 0xfffen);
    const address = fc
      .array(part, { minLength: 7, maxLength: 7 })
      // Not mapped: those are IPv4.
      .map((parts) => parts.reduce((all, next) => (all << 16n) | next, 0x2001n));
    const written = (number: bigint) =>
      Array.from({ length: 8 }, (_, index) =>
        ((number >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
      ).join(":");
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 128 }), (a, b, prefix) => {
        const rest = BigInt(128 - prefix);
        expect(listed(written(a), `${written(b)}/${prefix}`)).toBe(a >> rest === b >> rest);
      }),
      cases(5_000),
    );
  });
});

test.each([
  "",
  "*",
  "any",
  "localhost",
  "192.0.2",
  "192.0.2.256",
  "192.0.02.1",
  "0x7f.0.0.1",
  "2130706433",
  "192.0.2.0/",
  "192.0.2.0/33",
  "192.0.2.0/-1",
  "192.0.2.0/08",
  "192.0.2.0/24/24",
  "192.0.2.0/255.255.255.0",
  " 192.0.2.1",
  "192.0.2.1 ",
  "2001:db8::/129",
  "2001:db8",
  "[::1]",
  "fe80::1%eth0",
])(
  "%j is no range: a list that says something else than it seems to would let the wrong ones in",
  (text) => {
    expect(parseIpRange(text)).toBeNull();
  },
);

test.each(["", "unknown", "192.0.2.1:443", "127.1", "0177.0.0.1", "[::1]"])(
  "%j is no address",
  (text) => {
    expect(parseIpAddress(text)).toBeNull();
  },
);
