import { expect, it } from "vitest";
import { isOfTheBuild, restrictScripts } from "./trusted-types";

const origin = "https://gancho.example";

it.each(["/_next/static/chunks/0abc.js", `${origin}/_next/static/chunks/0abc.js?dpl=1`])(
  "lets a file of the build be a script: %s",
  (address) => expect(isOfTheBuild(address, origin)).toBe(true),
);

it.each([
  "https://evil.example/_next/static/a.js",
  "//evil.example/_next/static/a.js",
  "http://gancho.example/_next/static/a.js",
  "/api/partners/aurora/history?format=json",
  "/_next/static/../../api/partners/x.js",
  "/_next/static/%2e%2e/%2e%2e/api/x.js",
  "/_next/static/..%2f..%2fapi/x.js",
  "\\_next\\static\\..\\..\\api\\x.js",
  "/_next/data/a.js",
  "/_next/static/media/a.svg",
  "blob:https://gancho.example/_next/static/a.js",
  "data:text/javascript,/_next/static/a.js",
  "javascript:alert(1)",
  "https://gancho.example@evil.example/_next/static/a.js",
])("lets no other address be one (threat: a script that somebody else wrote): %s", (address) =>
  expect(isOfTheBuild(address, origin)).toBe(false),
);

it("makes the one policy, and has no rule for markup or scripts written as text", () => {
  const made: unknown[] = [];
  const trustedTypes = {
    createPolicy: (name: string, rules: object) => made.push([name, Object.keys(rules)]),
  };
  restrictScripts({ trustedTypes, location: { origin } });
  expect(made).toEqual([["default", ["createScriptURL"]]]);
});

it("does nothing in a browser that knows no such policies", () =>
  restrictScripts({ location: { origin } }));
