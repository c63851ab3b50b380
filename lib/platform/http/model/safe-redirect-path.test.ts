import { cases } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { expect, test } from "vitest";
import { safeRedirectPath } from "./safe-redirect-path";

const origin = "https://gancho.example";

test("a page of ours is kept with its query, written as a path or with our origin", () => {
  const page = "/partners/aurora/sandbox/webhooks?edit=pix_in";
  expect(safeRedirectPath(page, origin)).toBe(page);
  expect(safeRedirectPath(origin + page, origin)).toBe(page);
});

test.each([
  "https://evil.example",
  "https:evil.example/x",
  "http://gancho.example/partners",
  "https://gancho.example@evil.example",
  "https://gancho.example.evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "/%2e%2e//evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "blob:https://gancho.example/x",
])("%j, which leads to another host, is refused", (wanted) => {
  expect(safeRedirectPath(wanted, origin)).not.toContain("//");
  expectOwn(wanted);
});

function expectOwn(wanted: string) {
  const path = safeRedirectPath(wanted, origin);
  expect(new URL(path, origin).origin).toBe(origin);
  // In next-auth's form.
  expect(new URL(origin + path).origin).toBe(origin);
}

test.each([
  // Sign-in leads neither to itself nor to the interface.
  "/sign-in",
  "/sign-in?callbackUrl=/",
  "/api/auth/signout",
  "/x/../api/auth",
  undefined,
  null,
  "",
])("instead of %j, the start page", (wanted) => {
  expect(safeRedirectPath(wanted, origin)).toBe("/");
});

test("whatever comes in, a browser stays on our origin", () => {
  const part = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "@",
    ":",
    "evil.example",
    "%2f",
    "%5c",
    "\t",
    "\n",
    "?",
    "#",
    "a",
  );
  const address = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 6 }).map((parts) => `https://a.example${parts.join("")}`),
    fc.array(part, { maxLength: 12 }).map((parts) => `/${parts.join("")}`),
    fc.array(part, { maxLength: 4 }).map((parts) => `blob:${origin}${parts.join("")}`),
  );
  fc.assert(fc.property(address, expectOwn), cases(5_000));
});
