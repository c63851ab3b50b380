import { always } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBasic, readBearer } from "./authorization-header";

const encode = (text: string) => Buffer.from(text).toString("base64");
const printable = fc.string({ unit: "grapheme" }).filter((text) => !/\p{Cc}/u.test(text));

describe("Basic, as RFC 7617 writes it", () => {
  test("any user id without a colon, and any password, are read unchanged", () => {
    const userIds = printable.filter((text) => !text.includes(":"));
    always(2_000, userIds, printable, (userId, password) => {
      expect(readBasic(`Basic ${encode(`${userId}:${password}`)}`)).toEqual({
        ok: true,
        value: { userId, password },
      });
    });
  });

  test.each(["Basic", "basic", "BASIC", "bAsIc"])("the scheme may be written %s", (scheme) => {
    expect(readBasic(`${scheme} ${encode("a:b")}`)).toMatchObject({ ok: true });
  });

  test.each([undefined, ""])("a header that is %j is missing", (header) => {
    expect(readBasic(header)).toEqual({ ok: false, reason: "Missing credentials" });
  });

  test.each([
    ["no credentials", "Basic"],
    ["another scheme", `Bearer ${encode("a:b")}`],
    ["a tab", `Basic\t${encode("a:b")}`],
    ["not Base64", "Basic a*b="],
    ["Base64 without its padding", "Basic YTpiYw"],
    ["leftover bits that are not zero", "Basic YTpiYx=="],
    ["no colon", `Basic ${encode("ab")}`],
    ["a control character", `Basic ${encode("a:b\n")}`],
    ["bytes that are not UTF-8", `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString("base64")}`],
    ["two values that were joined", `Basic ${encode("a:b")}, Basic ${encode("a:b")}`],
  ])("%s is malformed", (_, header) => {
    expect(readBasic(header)).toEqual({ ok: false, reason: "Invalid credentials format" });
  });

  test("a byte order mark is part of the user id", () => {
    expect(readBasic(`Basic ${encode("\uFEFFa:b")}`)).toEqual({
      ok: true,
      value: { userId: "\uFEFFa", password: "b" },
    });
  });

  test("a long near-match is refused fast (threat: catastrophic backtracking)", () => {
    expect(readBasic(`Basic ${"A".repeat(15_000)}!`)).toMatchObject({ ok: false });
    expect(readBasic(`Basic ${" ".repeat(15_000)}!`)).toMatchObject({ ok: false });
  });
});

describe("Bearer", () => {
  test("the token is what follows the scheme, in any case", () => {
    expect(readBearer("bEARER a.b-c_d~e+f/g==")).toEqual({ ok: true, value: "a.b-c_d~e+f/g==" });
  });

  test.each(["Bearer", "Bearer ", "Bearer a b", "Bearer a,b", "Basic YTpi", "a.b.c"])(
    "%j is malformed",
    (header) => {
      expect(readBearer(header)).toEqual({ ok: false, reason: "Invalid credentials format" });
    },
  );
});
