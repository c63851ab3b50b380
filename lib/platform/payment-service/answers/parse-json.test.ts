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
    "",
    "text/json",
    "application/jsonp",
    "application/x-json",
    "text/html",
    "application/json-seq",
  ])("of type %s is not", (type) => {
    expect(typed(type)).toEqual({ ok: false, broken: false });
  });
});
