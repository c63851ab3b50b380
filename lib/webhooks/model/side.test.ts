import { expect, it } from "vitest";
import { sameSide, sideInHistory } from "./side";

const callbackUrl = "https://hooks.example.com/pix";
const shown = (hidden?: "masked" | "absent") =>
  sideInHistory({ callbackUrl, fingerprint: null, ...(hidden && { hidden }) });

it("what the history has of a value that is not shown differs from none, and masked from absent", () => {
  expect(sameSide(shown("masked"), shown("masked"))).toBe(true);
  expect(sameSide(shown("masked"), shown("absent"))).toBe(false);
  expect(sameSide(shown("masked"), shown())).toBe(false);
});

it("two differing values are not the same as none", () => {
  const conflict = sideInHistory({ callbackUrl, fingerprint: null, conflict: true });
  expect(conflict).toMatchObject({ authorization: { kind: "conflict" } });
  expect(sameSide(conflict, shown())).toBe(false);
});
