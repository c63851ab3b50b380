import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isContractUrl } from "./registration";

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
