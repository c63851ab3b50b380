import { describe, expect, it } from "vitest";
import { parseJson } from "./read-answer";
import { wireAnswer } from "@/lib/platform/payment-service/testing/wire-answer";

const typed = (contentType: string) =>
  parseJson(wireAnswer(200, {}, { "content-type": contentType }));

describe("a body", () => {
  it.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/problem+json",
    "application/json;charset=UTF-8",
  ])("of type %s is JSON", (type) => {
    expect(typed(type)).toEqual({ ok: true, value: {} });
  });

  it.each([
    "text/json",
    "application/jsonp",
    "application/x-json",
    "text/html",
    "application/json-seq",
  ])("of type %s is not", (type) => {
    expect(typed(type)).toEqual({ ok: false, broken: false });
  });

  it("may be 16 deep and no deeper, brackets in texts not counted", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(wireAnswer(200, nested(16)))).toMatchObject({ ok: true });
    expect(parseJson(wireAnswer(200, nested(17)))).toMatchObject({ ok: false });
    expect(parseJson(wireAnswer(200, JSON.stringify(`\\"${"[{".repeat(50)}`)))).toMatchObject({
      ok: true,
    });
  });

  it("may hold 20,000 values and no more (threat: a megabyte of commas that is a hundred of memory)", () => {
    const list = (length: number) => `[${new Array(length).fill("[]").join(",")}]`;
    expect(parseJson(wireAnswer(200, list(10_000)))).toMatchObject({ ok: true });
    expect(parseJson(wireAnswer(200, list(10_001)))).toMatchObject({ ok: false });
  });
});
