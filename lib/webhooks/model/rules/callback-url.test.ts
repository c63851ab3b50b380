import { expect, it } from "vitest";
import { checkCallbackUrl } from "./callback-url";

function codeOf(raw: string) {
  const check = checkCallbackUrl(raw);
  return check.ok ? "ok" : check.code;
}

it.each([
  "https://hooks.aurora.example/pix",
  "https://HOOKS.Aurora.example/Pix",
  "https://hooks.aurora.example",
  "https://hooks.aurora.example?tenant=a&b=%20",
  "https://hooks.aurora.example:8443/pix/../in//x;y='z'",
  "https://xn--mnchen-3ya.example/",
  "https://a_b.example/",
  "https://8.8.8.8/pix",
  "https://https:8443/pix",
  "https://a.example/?next=https://b.example/",
  "https://[2606:4700::1111]/pix",
  `https://a.example/${"x".repeat(255 - 18)}`,
])("a callback URL is accepted as it is written: %s", (raw) => {
  expect(codeOf(raw)).toBe("ok");
});

it("a callback URL gives the origin, in which host case and the usual port do not count", () => {
  expect(checkCallbackUrl("https://HOOKS.example:443/pix")).toEqual({
    ok: true,
    origin: "https://hooks.example",
    hostname: "hooks.example",
  });
});

it.each([
  ["", "required"],
  ["   ", "required"],
  [" https://a.example", "surrounding_space"],
  [`https://a.example/${"x".repeat(256 - 18)}`, "too_long"],
  ["http://a.example", "not_https"],
  ["HTTPS://a.example", "not_https"],
  ["https:a.example", "not_https"],
  ["a.example/pix", "not_https"],
  ["javascript:alert(1)//https://a.example", "not_https"],
  ["https://a.example/my hook", "space"],
  ["https://münchen.example/", "not_ascii"],
  ["https://a.example/ação", "not_ascii"],
  ["https://a.example/#top", "fragment"],
  ["https://a.example/{1}", "forbidden_character"],
  ["https://a.example/{merchant_id}", "placeholder"],
  ["https://<your host>/pix", "placeholder"],
  ["https://${HOST}/pix", "placeholder"],
  ["https://{{host}}/pix", "placeholder"],
  ["https://a.example/hook https://b.example/x", "two_addresses"],
  ["https://a.example/hook, http://b.example/x", "two_addresses"],
  ["https://a.example/hook\nhttps://b.example/x", "two_addresses"],
  ["https://https://a.example/x", "two_addresses"],
  ["http://https://a.example/x", "two_addresses"],
  [" HTTPS:https:/a.example/x", "two_addresses"],
  ["https://a.example\\@b.example/", "forbidden_character"],
  ["https://user:secret@a.example/", "user_info"],
  ["https://@a.example/", "user_info"],
  ["https:///a.example", "bad_host"],
  ["https://?x", "bad_host"],
  ["https://a%00.example/", "disguised_host"],
  ["https://[::1/", "bad_host"],
  ["https://256.1.1.1/", "bad_host"],
  ["https://a.example./", "trailing_dot"],
  ["https://a.example.:443/", "trailing_dot"],
  ["https://a.example:0/", "bad_port"],
  ["https://a.example:65536/", "bad_port"],
  ["https://a.example:8o/", "bad_port"],
])("%j is refused as %s", (raw, code) => {
  expect(codeOf(raw)).toBe(code);
});

it.each([
  "https://0x7f.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0177.0.0.1/",
  "https://%6cocalhost/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[::ffff:127.0.0.1]/",
])("a callback URL cannot hide its target behind another spelling: %s", (raw) => {
  expect(codeOf(raw)).toBe("disguised_host");
});

it.each(["https://①②⑦.⓪.⓪.①/", "https://a。example/"])(
  "a callback URL cannot hide where it leads behind characters that a parser folds: %j",
  (raw) => {
    expect(codeOf(raw)).toBe("not_ascii");
  },
);
