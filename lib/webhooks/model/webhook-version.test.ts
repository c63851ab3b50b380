import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isSameAddress, isSameSpelling } from "./webhook-version";

const encoded = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
const unreserved = fc.constantFrom(..."abcxyzABCXYZ0189-._~");
const reserved = fc.constantFrom(..."/:@!$&()*+,;=");
const address = (path: string) => `https://hooks.example.com/${path}`;

it.each([
  ["hexadecimal digits in lower case", "a%2fb?q=%c3%a7", "a%2Fb?q=%C3%A7"],
  ["encoded dots as segments", "a/%2e%2E/b/%2e/c", "b/c"],
])("two spellings of an address are the same with %s (RFC 3986, 6.2.2)", (_what, one, other) => {
  expect(isSameAddress(address(one), `HTTPS://Hooks.Example.COM:443/${other}`)).toBe(true);
});

it("two spellings of an address are the same whichever unreserved characters are encoded", () => {
  const letter = unreserved.chain((plain) =>
    fc.record({
      plain: fc.constant(plain),
      spelt: fc.constantFrom(plain, encoded(plain), encoded(plain).toLowerCase()),
    }),
  );
  const sign = reserved.map((plain) => ({ plain, spelt: plain }));
  always(1_000, fc.array(fc.oneof(letter, sign)), fc.nat(), (characters, at) => {
    const write = (spelling: "plain" | "spelt") => {
      const written = characters.map((character) => character[spelling]);
      return address(written.toSpliced(at % (written.length + 1), 0, "?").join(""));
    };
    expect(isSameAddress(write("plain"), write("spelt"))).toBe(true);
  });
});

it("two spellings are of different addresses where one encodes a reserved character, or encodes twice", () => {
  const text = fc.string({ unit: unreserved, minLength: 1 });
  always(1_000, text, reserved, text, (before, character, after) => {
    const write = (middle: string) => address(`p${before}${middle}${after}p`);
    expect(isSameAddress(write(character), write(encoded(character)))).toBe(false);
  });
  expect(isSameAddress(address("%2541"), address("A"))).toBe(false);
  expect(isSameAddress(address("%61"), address("A"))).toBe(false);
});

it.each(["https://h.example:8443/A/b?x=1&y=2", "https://H.example/a/B/?y=2&x=1"])(
  "a service may write an address as %s",
  (written) => expect(isSameSpelling("https://h.example/a/b?x=1&y=2", written)).toBe(true),
);

it.each([
  "http://h.example/a/b?x=1&y=2",
  "https://somebody@h.example/a/b?x=1&y=2",
  "https://h.example/a/b?x=1%26y=2",
  "https://h.example/a/b?x=1&y=3",
  "https://h.example/a/c?x=1&y=2",
])("%s is another address", (other) => {
  expect(isSameSpelling("https://h.example/a/b?x=1&y=2", other)).toBe(false);
});
