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

test("an address that leads to another host is refused, however it is disguised", () => {
  for (const wanted of [
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
  ]) {
    expect(new URL(safeRedirectPath(wanted, origin), origin).origin, JSON.stringify(wanted)).toBe(
      origin,
    );
    expect(safeRedirectPath(wanted, origin), JSON.stringify(wanted)).not.toContain("//");
    // In next-auth's form.
    expect(new URL(origin + safeRedirectPath(wanted, origin)).origin, JSON.stringify(wanted)).toBe(
      origin,
    );
  }
});

test("sign-in leads neither to itself nor to the interface", () => {
  for (const wanted of [
    "/sign-in",
    "/sign-in?callbackUrl=/",
    "/api/auth/signout",
    "/x/../api/auth",
  ]) {
    expect(safeRedirectPath(wanted, origin), wanted).toBe("/");
  }
});

test("nothing wished for is the start page", () => {
  for (const wanted of [undefined, null, ""]) expect(safeRedirectPath(wanted, origin)).toBe("/");
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
  fc.assert(
    fc.property(address, (wanted) => {
      expect(new URL(safeRedirectPath(wanted, origin), origin).origin).toBe(origin);
      expect(new URL(origin + safeRedirectPath(wanted, origin)).origin).toBe(origin);
    }),
    cases(5_000),
  );
});
