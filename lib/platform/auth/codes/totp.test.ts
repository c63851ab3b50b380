import { expect, it } from "vitest";
import { codeAt, otpauthUri, stepAt, stepOf, base32 } from "./totp";

const secret = Buffer.from("12345678901234567890");

it("makes the codes of RFC 4226, appendix D", () => {
  const codes = Array.from({ length: 10 }, (_, count) => codeAt(secret, count));
  expect(codes.join(" ")).toBe(
    "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489",
  );
});

it.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [20_000_000_000, "65353130"],
])("makes the last six digits of RFC 6238, appendix B, at %s s", (seconds, eight) => {
  expect(codeAt(secret, stepAt(seconds * 1_000))).toBe(eight.slice(2));
});

it("accepts the code of this half-minute and its neighbours, and says which", () => {
  const now = 1_800_000_000_000;
  const here = stepAt(now);
  const around = [-2, -1, 0, 1, 2].map((n) => stepOf(secret, codeAt(secret, here + n), now));
  expect(around).toEqual([null, here - 1, here, here + 1, null]);
});

it("does not mind how apps space a code, and refuses what is none", () => {
  const now = 1_800_000_000_000;
  const code = codeAt(secret, stepAt(now));
  expect(stepOf(secret, ` ${code.slice(0, 3)} ${code.slice(3)}`, now)).toBe(stepAt(now));
  for (const wrong of ["", code.slice(1), `${code}0`, "abcdef", `${code.slice(0, 5)}x`])
    expect(stepOf(secret, wrong, now)).toBeNull();
});

it("writes secrets as RFC 4648 does", () => {
  const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map((text) =>
    base32(Buffer.from(text)),
  );
  expect(texts).toEqual(["", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"]);
});

it("names the account for the app", () => {
  const uri = new URL(otpauthUri("MZXW6", { issuer: "Gancho", account: "ana+pix@aurora.example" }));
  expect(uri.protocol).toBe("otpauth:");
  expect(decodeURIComponent(uri.pathname)).toContain("Gancho:ana+pix@aurora.example");
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: "MZXW6", issuer: "Gancho" });
});
