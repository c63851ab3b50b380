import { hasInvisible, hasLineBreak } from "@/lib/platform/http/model/hidden-characters";
import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkCallbackUrl, suggestCallbackUrl } from "./callback-url";
import { nearMissUrls } from "@/lib/webhooks/model/rules/testing/near-misses";

it.each([
  ["  https://a.example/pix ", "https://a.example/pix"],
  ["http://a.example/pix", "https://a.example/pix"],
  ["HTTPS://a.example/Pix", "https://a.example/Pix"],
  ["https:a.example/pix", "https://a.example/pix"],
  ["a.example/pix", "https://a.example/pix"],
  ["a.example:8443", "https://a.example:8443"],
  ["https://münchen.example/ação?q=é", "https://xn--mnchen-3ya.example/a%C3%A7%C3%A3o?q=%C3%A9"],
  ["https://a.example/my hook/{1}", "https://a.example/my%20hook/%7B1%7D"],
  ["https://a.example/%C3%A9/é", "https://a.example/%C3%A9/%C3%A9"],
  ["https://a.example/pix#top", "https://a.example/pix"],
  ["https://user:secret@a.example/pix", "https://a.example/pix"],
  ["https://a.example.:8443/pix", "https://a.example:8443/pix"],
  ["https://ex%61mple.com/", "https://example.com/"],
  ["https://a。example/pix", "https://a.example/pix"],
])("the suggestion for %j is %s", (raw, suggestion) => {
  expect(suggestCallbackUrl(raw)).toBe(suggestion);
});

it.each([
  "",
  "hello",
  "ftp://a.example/",
  "javascript:alert(1)",
  "mailto:me@a.example",
  "https://a.example:0/",
  "https://a .example/",
  `https://a.example/${"x".repeat(300)}`,
  "https://a.example/\ud800",
  // Two addresses: which is meant?
  "https://a.example/hook https://b.example/x",
  "https://a.example/hook\r\nhttps://b.example/x",
  "https://https://a.example/x",
  // A placeholder, which nobody wants to have encoded.
  "https://a.example/{merchant_id}",
  "http://a.example/<id>",
  // Dashes and spaces of phones' keyboards: a hyphen, or two?
  "https://my—shop.example/pix",
  "https://a.example/my–hook",
  "https://a.example/my\u00a0hook",
  "https://a.example/‘hook’",
  "https://a.example/ｈook",
  // Clients disagree on where this leads.
  "https://a.example/a\\b",
  "https://a.example/pix",
])("no suggestion is given for %j", (raw) => {
  expect(suggestCallbackUrl(raw)).toBeUndefined();
});

/** As clients call it, with what they leave as it is encoded. */
function called(url: string): string {
  const { hostname, port, pathname, search } = new URL(url.replace(/^http:/i, "https:"));
  const encoded = (pathname + search).replace(/[\\"<>^{|}`]/g, encodeURIComponent);
  return `${hostname.replace(/\.$/, "")}:${port}${encoded}`;
}

it("a suggestion never changes where messages go", () => {
  always(20_000, nearMissUrls, (raw) => {
    const suggestion = suggestCallbackUrl(raw);
    fc.pre(suggestion !== undefined && /^\s*https?:/i.test(raw) && URL.canParse(raw));
    fc.pre(!hasInvisible(raw) && !hasLineBreak(raw));
    expect(called(suggestion)).toBe(called(raw));
  });
});

it("a suggestion always passes the rule and never repeats what was written", () => {
  always(3_000, nearMissUrls, (raw) => {
    const suggestion = suggestCallbackUrl(raw);
    fc.pre(suggestion !== undefined);
    expect(checkCallbackUrl(suggestion).ok).toBe(true);
    expect(suggestion).not.toBe(raw);
  });
});
