import { expect, it } from "vitest";
import { sameShownVersion, shownVersionInHistory } from "./side";

const callbackUrl = "https://hooks.example.com/pix";
const shown = (hidden?: "masked" | "absent") =>
  shownVersionInHistory({ callbackUrl, fingerprint: null, ...(hidden && { hidden }) });

it("what the history has of a value that is not shown differs from none, and masked from absent", () => {
  expect(sameShownVersion(shown("masked"), shown("masked"))).toBe(true);
  expect(sameShownVersion(shown("masked"), shown("absent"))).toBe(false);
  expect(sameShownVersion(shown("masked"), shown())).toBe(false);
});

it("two differing values are not the same as none", () => {
  const conflict = shownVersionInHistory({ callbackUrl, fingerprint: null, conflict: true });
  expect(conflict).toMatchObject({ authorization: { kind: "conflict" } });
  expect(sameShownVersion(conflict, shown())).toBe(false);
});
