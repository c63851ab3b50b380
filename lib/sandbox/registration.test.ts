import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "@/lib/platform/payment-service/contract/terms";
import { isContractAuthorization, isContractUrl } from "./registration";

const start = "https://a.example/";
const urlOfLength = (length: number) => start + "x".repeat(length - start.length);

test("a url of 255 characters is accepted, of 256 is not", () => {
  expect(isContractUrl(urlOfLength(limits.callbackUrl))).toBe(true);
  expect(isContractUrl(urlOfLength(limits.callbackUrl + 1))).toBe(false);
});

test.each([
  "https://a",
  "https://A.Example/Path?query=1&b=[2]",
  "https://a.example:65535",
  "https://a.example:/",
  "https://a.example/%zz",
  "https://127.0.0.1/hook",
  "https://[::1]/",
  "https://a.example/!$%&'()*+,-./:;=?@[]_~",
  "https://a.example/user@host",
])("the url %s is accepted: any https address will do", (url) => {
  expect(isContractUrl(url)).toBe(true);
});

test.each<readonly [string, string]>([
  ["nothing in it", ""],
  ["http alone", "http://a.example"],
  ["a scheme in upper case", "HTTPS://a.example"],
  ["a space before it", " https://a.example"],
  ["a line break", "https://a.example\n"],
  ["another script", "https://bücher.example"],
  ["an invisible character", "https://a.example/\u00ad"],
  ["user information", "https://user@a.example/"],
  ["empty user information", "https://@a.example/"],
  ["port 0", "https://a.example:0/"],
  ["a dot at the end of the host", "https://a.example./"],
  ["a shortened IPv4 address", "https://127.1/"],
  ["an IPv6 address that is not written shortest", "https://[0:0:0:0:0:0:0:1]/"],
  ["an IPv6 zone", "https://[fe80::1%25eth0]/"],
  ["a percent sign in the host", "https://a%2eexample/"],
  ...Array.from('\\"<>^{|}#`', (sign) => [sign, `https://a.example/${sign}`] as const),
])("a url with %s is refused", (_, url) => {
  expect(isContractUrl(url)).toBe(false);
});

test("a url's host is accepted exactly if the URL standard leaves it as it is written", () => {
  const more = "0x 7f 127 256 08 :: 443 65536 ffff example".split(" ");
  const piece = fc.constantFrom(..."aB10./:?[]@-_~*!=;(%", ...more);
  const url = fc.array(piece, { maxLength: 9 }).map((pieces) => `https://${pieces.join("")}`);
  always(30_000, url, (raw) => {
    expect(isContractUrl(raw)).toBe(isReadAsWritten(raw));
  });
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

test("an authorization of 1 to 100 characters is accepted, of 0 and 101 is not", () => {
  expect(isContractAuthorization("x")).toBe(true);
  expect(isContractAuthorization("x".repeat(limits.authorization))).toBe(true);
  expect(isContractAuthorization("")).toBe(false);
  expect(isContractAuthorization("x".repeat(limits.authorization + 1))).toBe(false);
});
