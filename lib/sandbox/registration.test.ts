import { anyCharacter, cases } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "@/lib/platform/payment-service/contract/terms";
import { isContractAuthorization, isContractUrl } from "./registration";

const start = "https://a.example/";
const urlOfLength = (length: number) => start + "x".repeat(length - start.length);

describe("the rule for url", () => {
  test("255 characters are taken, 256 are not", () => {
    expect(isContractUrl(urlOfLength(limits.callbackUrl))).toBe(true);
    expect(isContractUrl(urlOfLength(limits.callbackUrl + 1))).toBe(false);
  });

  test.each([
    "https://a",
    "https://a.example",
    "https://A.Example/Path?query=1&b=[2]",
    "https://a.example:443/",
    "https://a.example:65535",
    "https://a.example:/",
    "https://a.example/a/../b//c",
    "https://a.example/%zz",
    "https://a.example?x",
    "https://a_b.example",
    "https://xn--bcher-kva.example",
    "https://127.0.0.1/hook",
    "https://10.0.0.1",
    "https://192.168.1.1:8443/x",
    "https://169.254.169.254/",
    "https://localhost",
    "https://[::1]/",
    "https://[2001:DB8::1]:8443/x",
    "https://a.example/!$%&'()*+,-./:;=?@[]_~",
    "https://1.example",
    "https://a.example/user@host",
  ])("%s is taken: any https address will do", (url) => {
    expect(isContractUrl(url)).toBe(true);
  });

  test.each([
    "",
    "https://",
    "https:///a.example",
    "https:/a.example",
    "https:a.example",
    "http://a.example",
    "HTTPS://a.example",
    "ftp://a.example",
    "//a.example",
    " https://a.example",
    "https://a.example ",
    "https://a.example\n",
    "https://a.exam\tple",
    "https://a.example/ b",
    "https://a.example/é",
    "https://bücher.example",
    "https://a.example/\u007f",
    "https://a.example/\u00ad",
    "https://ⓐ.example",
    "https://①②⑦.0.0.1",
    "https://a\u00ad.example",
    ...Array.from('\\"<>^{|}#`', (character) => `https://a.example/${character}`),
  ])("%j has a character that is not of a written https address", (url) => {
    expect(isContractUrl(url)).toBe(false);
  });

  test.each([
    ["user information", "https://user@a.example/"],
    ["user information with a password", "https://user:password@a.example/"],
    ["empty user information", "https://@a.example/"],
    ["user information that looks like a host", "https://a.example:443@b.example/"],
    ["port 0", "https://a.example:0/"],
    ["port 0, longer", "https://a.example:000/"],
    ["a port above 65535", "https://a.example:65536/"],
    ["a port that is no number", "https://a.example:x/"],
    ["two ports", "https://a.example:1:2/"],
    ["a dot at the end of the host", "https://a.example./"],
    ["a dot at the end of the host, before a port", "https://a.example.:443/"],
    ["nothing but a dot", "https://./"],
    ["a shortened IPv4 address", "https://127.1/"],
    ["a hexadecimal IPv4 address", "https://0x7f.0.0.1/"],
    ["a hexadecimal number", "https://0x7f000001/"],
    ["an octal IPv4 address", "https://0177.0.0.1/"],
    ["a decimal IPv4 address", "https://2130706433/"],
    ["an IPv4 address out of range", "https://256.0.0.1/"],
    ["an IPv4 address of five parts", "https://1.2.3.4.5/"],
    ["a name that ends in a number", "https://a.1/"],
    ["an IPv6 address that is not written shortest", "https://[0:0:0:0:0:0:0:1]/"],
    ["an IPv6 address with an IPv4 end", "https://[::ffff:127.0.0.1]/"],
    ["an IPv6 address without its bracket", "https://[::1/"],
    ["something behind the bracket", "https://[::1]a/"],
    ["an IPv6 zone", "https://[fe80::1%25eth0]/"],
    ["a bracket in a name", "https://a[b/"],
    ["a percent sign in the host", "https://a%2eexample/"],
  ])("%s is refused", (_, url) => {
    expect(isContractUrl(url)).toBe(false);
  });

  test("a host is taken exactly if the URL standard reads it as it is written", () => {
    const piece = fc.constantFrom(
      ..."aB10./:?[]@-_~*!=;(%".split(""),
      "0x",
      "7f",
      "127",
      "256",
      "08",
      "::",
      "443",
      "65536",
      "ffff",
      "example",
    );
    const url = fc.array(piece, { maxLength: 9 }).map((pieces) => `https://${pieces.join("")}`);
    fc.assert(
      fc.property(url, (raw) => {
        expect(isContractUrl(raw)).toBe(isReadAsWritten(raw));
      }),
      cases(30_000),
    );
  });

  function isReadAsWritten(raw: string): boolean {
    if (!URL.canParse(raw)) return false;
    const { hostname, port } = new URL(raw);
    const [written = ""] = raw.slice("https://".length).split(/[/?]/, 1);
    return (
      hostname === written.replace(/:\d*$/, "").toLowerCase() &&
      !hostname.endsWith(".") &&
      port !== "0"
    );
  }

  test("no text outside printable ASCII is taken, wherever it stands", () => {
    const outside = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 1 })
      .filter((character) => !/^[\x21-\x7e]$/.test(character));
    fc.assert(
      fc.property(outside, fc.nat({ max: 30 }), (character, position) => {
        const url = "https://a.example/path/to/hook";
        expect(isContractUrl(url.slice(0, position) + character + url.slice(position))).toBe(false);
      }),
      cases(5_000),
    );
  });
});

describe("the rule for authorization", () => {
  test("1 to 100 characters are taken, 0 and 101 are not", () => {
    expect(isContractAuthorization("x")).toBe(true);
    expect(isContractAuthorization("x".repeat(limits.authorization))).toBe(true);
    expect(isContractAuthorization("")).toBe(false);
    expect(isContractAuthorization("x".repeat(limits.authorization + 1))).toBe(false);
  });

  test("it is printable ASCII without a space at either end", () => {
    const near = fc.string({
      unit: fc.oneof(
        {
          weight: 20,
          arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
        },
        { weight: 2, arbitrary: fc.constant(" ") },
        {
          weight: 1,
          arbitrary: fc.constantFrom("\n", "\r", "\t", "\0", "\u007f", "é", "\u00a0", "😀"),
        },
      ),
      maxLength: 110,
    });
    fc.assert(
      fc.property(near, (text) => {
        const expected = /^[\x21-\x7e]([\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(text);
        expect(isContractAuthorization(text)).toBe(expected);
      }),
      cases(20_000),
    );
  });

  test("a line break, which could end the header and begin another, is refused", () => {
    expect(isContractAuthorization("a\r\nX-Admin: 1")).toBe(false);
    expect(isContractAuthorization("a\n")).toBe(false);
  });
});
