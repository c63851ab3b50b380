import { expect, it } from "vitest";
import { checkCallbackTarget } from "./callback-target";

const onlyPublic = { allowPrivateTargets: false };
const anywhere = { allowPrivateTargets: true };

it("a callback may lead to a public name, without a warning", () => {
  expect(checkCallbackTarget("https://hooks.aurora.example/pix", onlyPublic)).toEqual({
    ok: true,
    origin: "https://hooks.aurora.example",
    warnings: [],
  });
});

it("a callback may lead to a public address, with a warning", () => {
  expect(checkCallbackTarget("https://8.8.8.8/pix", onlyPublic)).toMatchObject({
    ok: true,
    warnings: ["ip_address"],
  });
});

it.each([
  "https://127.0.0.1/",
  "https://169.254.169.254/latest",
  "https://[::1]/",
  "https://localhost/",
  "https://db/",
])("a callback may not lead into a private network: %s", (raw) => {
  expect(checkCallbackTarget(raw, onlyPublic)).toEqual({ ok: false, code: "private_host" });
  expect(checkCallbackTarget(raw, anywhere)).toMatchObject({
    ok: true,
    warnings: ["private_host"],
  });
});

it("rejects what DNS can never answer, even where private hosts are allowed", () => {
  expect(checkCallbackTarget("https://a..example/", anywhere)).toEqual({
    ok: false,
    code: "bad_host",
  });
});

it("does not suggest the plain form of a disguised private address", () => {
  expect(checkCallbackTarget("https://0x7f.1/", onlyPublic)).toEqual({
    ok: false,
    code: "disguised_host",
  });
  expect(checkCallbackTarget("https://0x7f.1/", anywhere)).toEqual({
    ok: false,
    code: "disguised_host",
    suggestion: "https://127.0.0.1/",
  });
});

it.each([
  ["https://a.example/%7Bmerchant_id%7D", "placeholder"],
  ["https://a.example/:merchant_id/pix", "placeholder"],
  ["https://a.example/hookhttps://b.example/x", "two_addresses"],
])("a callback may contain what is probably a mistake, with a warning: %s", (raw, warning) => {
  expect(checkCallbackTarget(raw, onlyPublic)).toMatchObject({ ok: true, warnings: [warning] });
});

it("an address within another one's query is no second one", () => {
  const raw = "https://a.example/?next=https://b.example/&time=10:30";
  expect(checkCallbackTarget(raw, onlyPublic)).toMatchObject({ ok: true, warnings: [] });
});

it("a scheme behind a scheme is refused, also where private hosts are allowed", () => {
  const check = checkCallbackTarget("https://https://a.example/x", anywhere);
  expect(check).toEqual({ ok: false, code: "two_addresses" });
});

it("a callback is refused with the address that was probably meant", () => {
  expect(checkCallbackTarget("http://hooks.aurora.example/pix", onlyPublic)).toEqual({
    ok: false,
    code: "not_https",
    suggestion: "https://hooks.aurora.example/pix",
  });
});
