import * as fc from "fast-check";
import net from "node:net";
import { expect, it } from "vitest";
import { hostList } from "./address";
import { findEndpoint } from "./egress";

/** `EGRESS_CASES=100000 npx vitest run --project unit lib/platform/egress/names.test.ts` is the long run. */
const numRuns = Number(process.env["EGRESS_CASES"] ?? 2_000);

/**
 * The test's own judge, which shares neither list nor library with the product: the IANA registries and the clouds'
 * ranges, by Node.
 */
const rangesV4 = (
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
  "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 " +
  "203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32 192.80.8.124/32 161.26.0.0/16 166.8.0.0/14 199.36.153.4/30 199.36.153.8/30"
).split(" ");
const rangesV6 = "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20".split(" ");

function blockList(ranges: readonly string[], family: "ipv4" | "ipv6") {
  const list = new net.BlockList();
  for (const range of ranges) {
    const [base = "", bits] = range.split("/");
    list.addSubnet(base, Number(bits), family);
  }
  return list;
}
const special = blockList(rangesV4, "ipv4");
const specialV6 = blockList(rangesV6, "ipv6");
const handedOut = blockList(["2000::/3"], "ipv6");

type V4 = readonly [number, number, number, number];
type Case = { text: string; isPublic: boolean };

const isPublicV4 = (octets: V4) => !special.check(octets.join("."), "ipv4");
const hex = (octets: V4) =>
  [octets[0] * 256 + octets[1], octets[2] * 256 + octets[3]].map((group) => group.toString(16));

const octetsOf = (address: number): V4 => [
  (address >>> 24) & 255,
  (address >>> 16) & 255,
  (address >>> 8) & 255,
  address & 255,
];
/** The first and the last address of what is special, and their neighbours outside, where mistakes are. */
const edges = rangesV4.flatMap((range) => {
  const [base = "", bits] = range.split("/");
  const first = base.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const next = first + 2 ** (32 - Number(bits));
  return [first - 1, first, next - 1, next];
});
const v4 = fc.oneof(fc.nat(0xffff_ffff), fc.constantFrom(...edges)).map(octetsOf);

const group = fc.nat(0xffff).map((number) => number.toString(16));
const groups = (text: string) => fc.oneof(group, fc.constantFrom(...text.split(" ")));
const v6 = fc
  .tuple(
    groups("0 64 100 1fff 2000 2001 2002 2620 2606 3ffe 3fff 4000 5f00 fc00 fd00 fe80 fec0 ff02"),
    groups("0 1 2 4 10 20 30 1ff 200 db8 4f fff 1000 ff9b"),
    groups("0 1 8000"),
    fc.array(group, { minLength: 5, maxLength: 5 }),
  )
  .map(([a, b, c, rest]) => [a, b, c, ...rest].join(":"));

const address: fc.Arbitrary<Case> = fc.oneof(
  v4.map((octets) => ({ text: octets.join("."), isPublic: isPublicV4(octets) })),
  fc.tuple(v4, fc.boolean()).map(([octets, dotted]) => ({
    text: `::ffff:${dotted ? octets.join(".") : hex(octets).join(":")}`,
    isPublic: isPublicV4(octets),
  })),
  fc.tuple(v4, fc.boolean()).map(([octets, dotted]) => ({
    text: `64:ff9b::${dotted ? octets.join(".") : hex(octets).join(":")}`,
    isPublic: isPublicV4(octets),
  })),
  // 6to4, Teredo, IPv4-compatible and a network's own NAT64 lead into it whatever they contain.
  v4.map((octets) => ({ text: `2002:${hex(octets).join(":")}::1`, isPublic: false })),
  v4.map((octets) => ({ text: `2001:0:${hex(octets).join(":")}::1`, isPublic: false })),
  v4.map((octets) => ({ text: `::${octets.join(".")}`, isPublic: false })),
  v4.map((octets) => ({ text: `64:ff9b:1::${octets.join(".")}`, isPublic: false })),
  v6.map((text) => ({
    text,
    isPublic: handedOut.check(text, "ipv6") && !specialV6.check(text, "ipv6"),
  })),
  fc.constantFrom("::", "::1", "fe80::1%eth0", "", "x", "010.0.0.1", "1.2.3").map((text) => ({
    text,
    isPublic: false,
  })),
);

it("connects to nothing that is not public, whatever the form of an address, those beside it, and later resolutions (threats: SSRF, mixed answers, DNS rebinding)", async () => {
  let connected = 0;
  const property = fc.asyncProperty(
    // What the name resolves to, and to what it changes.
    fc.array(fc.array(address, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
    fc.nat(2),
    async (answers, posts) => {
      let asked = 0;
      const dialled: string[] = [];
      const found = await findEndpoint("https://hooks.example.com/pix", {
        deny: hostList([]),
        proxy: null,
        loopbackPort: null,
        resolve: async () => (answers[asked++] ?? []).map(({ text }) => text),
        dial: ({ host }) => {
          dialled.push(host);
          const socket = new net.Socket();
          const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
          queueMicrotask(() => socket.destroy(refused));
          return socket;
        },
      });
      for (let n = 0; found.found && n < posts; n += 1)
        await found.post({ body: "{}", userAgent: "gancho/test", authorization: null });

      const first = answers[0] ?? [];
      const isFit = first.length > 0 && first.every(({ isPublic }) => isPublic);
      expect(asked).toBe(1);
      expect([first, found.found]).toEqual([first, isFit]);
      expect(dialled).toHaveLength(isFit ? posts : 0);
      for (const host of dialled)
        expect(first).toContainEqual(expect.objectContaining({ text: host, isPublic: true }));
      connected += dialled.length;
    },
  );
  await fc.assert(property, { numRuns });
  // The property is not vacuous: some were let through.
  expect(connected).toBeGreaterThan(numRuns / 100);
}, 600_000);
