import fc from "fast-check";

/**
 * Inputs close to the limits of the rules, for tests that browser, server and sandbox agree. Random text would be
 * refused for the same reason every time and prove nothing.
 */

const nasty = [..."\\\"<>^{|}#`@:/?%[].*!$&'()+,;=~_- \t\n\r\0\x7f\x1f"].concat(
  [..."éüßıİſK①⑧。．｡­​‍א1٣漢🎣"],
  ["\ufeff", "\u2028", "\ud800", "\udc00", "%41", "%2e", "%00", "xn--", "//", "..", "0x", "[::1]"],
);

const character = fc.oneof(
  fc.constantFrom(...nasty),
  fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
);

/** One of these, each as often as its weight says. */
const often = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const words = (text: string) => fc.constantFrom(...text.split(" "));

/** One small mistake: a character inserted, replaced, removed, or its case changed. */
const mutated = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.nat(), character, fc.constantFrom("insert", "replace", "remove", "case"))
    .map(([original, at, piece, how]) => {
      const index = at % (original.length + 1);
      const one = original.slice(index, index + 1);
      const changed = one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase();
      const middle = { insert: piece + one, replace: piece, remove: "", case: changed }[how];
      return original.slice(0, index) + middle + original.slice(index + 1);
    });

const label = often(
  [6, fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,12}[a-z0-9])?$/)],
  [1, fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/)],
  [1, fc.stringMatching(/^xn--[a-z0-9-]{1,10}$/)],
  [1, words("xn--mnchen-3ya xn--MNCHEN-3ya xn--p1ai xn--fa-hia xn--a-ecp xn--ls8h")],
  [1, words("xn--zca XN--4dbrk0ce 0 00 1 127 08 0x7f 0x 0b1 1e3 4294967295 com COM local")],
);

const ipv4 = fc
  .array(
    fc.oneof(
      fc.nat(300).map(String),
      fc.nat(255).map((octet) => `0x${octet.toString(16)}`),
      fc.nat(255).map((octet) => `0${octet.toString(8)}`),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join("."));

const ipv6 = fc.oneof(
  fc.ipV6().map((address) => `[${address}]`),
  words("[::1] [::] [::ffff:1.2.3.4] [::ffff:102:304] [0::1] [::1%25eth0] [::1 ::1"),
  fc
    .array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.map((group) => group.toString(16)).join(":"))
    .map((address) => new URL(`https://[${address}]`).hostname),
);

const host = often(
  [8, fc.array(label, { minLength: 1, maxLength: 4 }).map((l) => l.join("."))],
  [2, ipv4],
  [1, fc.ipV4()],
  [1, ipv6],
  [1, fc.constantFrom("", ...".|a.|a..b|localhost|a*b.com|a%2ab.com|a!b.com".split("|"))],
);

const port = often(
  [6, fc.constant("")],
  [2, fc.nat(65_600).map((number) => `:${number}`)],
  [1, words(": :0 :00 :0443 :443 :65535 :65536 :1x :-1 :+1 ::1")],
);

const rest = fc.oneof(
  fc.constantFrom("", ..."/ ? /? /# /.. /%2e%2e/x /% /%zz //x /@x /a;b=c /a:b".split(" ")),
  fc.webPath().map((path) => path || "/"),
  fc.tuple(fc.webPath(), fc.webQueryParameters()).map(([path, query]) => `${path}?${query}`),
);

const scheme = often(
  [20, fc.constant("https://")],
  [
    1,
    fc.constantFrom("", " https://", ..."http:// HTTPS:// https: https:/ https:/// //".split(" ")),
  ],
);

const userInfo = often([20, fc.constant("")], [1, words("@ user@ user:secret@ :@ a@b@")]);

const url = fc.tuple(scheme, userInfo, host, port, rest).map((parts) => parts.join(""));

/** As long as the limit, or one more or less. */
const aroundLength = (text: fc.Arbitrary<string>, limit: number, filler: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.constantFrom(-1, 0, 1), filler)
    .map(([start, over, fill]) => start + fill.repeat(Math.max(limit + over - start.length, 0)));

const shorter = url.filter((text) => text.length < 200);

export const nearMissUrls: fc.Arbitrary<string> = often(
  [5, url],
  [5, mutated(url)],
  [1, mutated(mutated(url))],
  [1, aroundLength(shorter, 255, fc.constantFrom("a", "/"))],
  [
    1,
    fc
      .tuple(
        url,
        fc.constantFrom("", " ", ", ", "\n", "/{merchant_id}", "/:id", "—", "\u00a0", "%7Bid%7D"),
        url,
      )
      .map((parts) => parts.join("")),
  ],
  [1, aroundLength(fc.constant("https://"), 255, fc.constantFrom("a", "a.", "é"))],
);

const printable = fc.stringMatching(/^[\x20-\x7e]{0,102}$/);
const value = fc.oneof(
  printable,
  fc.stringMatching(/^Bearer [A-Za-z0-9_-]{0,60}$/),
  fc.constantFrom("", " ", "*", "••••••••", "********", "[secret]"),
  fc.constantFrom("Bearer ****", "fp 9c41 e07d", "Bearer", "a b"),
  fc.constantFrom(
    "Bearer ****1234",
    "Bearer {TOKEN}",
    "<omitted>",
    "Bearer Bearer abc123",
    "secret",
  ),
  fc.constantFrom('"Bearer abc"', "“Bearer abc”", "Authorization: Bearer x", "Bearer\u00a0a–b"),
);
const shortValue = value.filter((text) => text.length < 90);

export const nearMissAuthorizations: fc.Arbitrary<string> = often(
  [3, value],
  [3, mutated(value)],
  [1, aroundLength(shortValue, 100, fc.constantFrom("a", " ", "é"))],
);
