import { describe, expect, it } from "vitest";
import { parseJson } from "./body";
import { judgeList } from "./read-answer";
import { wireAnswer } from "@/lib/platform/payment-service/testing/wire-answer";

const url = "https://partner.example/";
const events = ["collection.paid"];

/** What a list of this one item is read as, the Authorization value revealed. */
function read(item: unknown) {
  const judgement = judgeList(wireAnswer(200, { webhooks: [item] }), []);
  if (judgement.kind !== "done") return judgement.fault.code;
  const [webhook] = judgement.value.webhooks;
  return webhook && { ...webhook, authorization: webhook.authorization?.reveal() ?? null };
}

describe("an item of the list", () => {
  it("is read as the contract's sample shows it, unknown fields left aside", () => {
    const item = { type: "pix_in", callback_url: url, auth_header: "Bearer x", events, id: 7 };
    expect(read(item)).toEqual({
      type: "pix_in",
      callbackUrl: url,
      authorization: "Bearer x",
      authorizationConflict: false,
      events,
    });
  });

  it.each([
    ["neither name", {}, null, false],
    ["auth_header", { auth_header: "a" }, "a", false],
    ["authorization", { authorization: "a" }, "a", false],
    ["both, the same", { auth_header: "a", authorization: "a" }, "a", false],
    ["both, different", { auth_header: "a", authorization: "b" }, null, true],
    ["one of them null", { auth_header: null, authorization: "b" }, "b", false],
    ["one of them empty", { auth_header: "", authorization: "b" }, null, true],
    ["an empty one alone", { auth_header: "" }, null, false],
  ])("has its Authorization value under %s", (_how, names, authorization, conflict) => {
    expect(read({ callback_url: url, events, ...names })).toMatchObject({
      authorization,
      authorizationConflict: conflict,
    });
  });

  it.each([
    ["missing", undefined, null],
    ["null", null, null],
    ["a number", 3, null],
    ["unknown", "pix_refund", "pix_refund"],
    ["absurdly long", "x".repeat(101), null],
  ])("keeps its type as it is sent, and infers none: %s", (_how, type, expected) => {
    expect(read({ type, callback_url: url, events })).toMatchObject({ type: expected });
  });

  it.each([
    ["missing", undefined, null],
    ["null", null, null],
    ["a text", "collection.paid", null],
    ["a list with a number", ["collection.paid", 1], null],
    ["empty", [], []],
    ["unknown kinds", ["refund.paid"], ["refund.paid"]],
    ["too many", new Array(101).fill("x"), null],
  ])("has the events that are stated, or none: %s", (_how, sent, expected) => {
    expect(read({ callback_url: url, events: sent })).toMatchObject({ events: expected });
  });

  it.each(["", "http://insecure.example", "javascript:alert(1)", "<b>x</b>", "x".repeat(2_048)])(
    "shows a strange callback URL as it is: %#",
    (callback_url) => {
      expect(read({ callback_url, events })).toMatchObject({ callbackUrl: callback_url });
    },
  );

  it.each([
    ["no callback URL", { events }],
    ["a callback URL that is no text", { callback_url: 1 }],
    ["an absurdly long callback URL", { callback_url: "x".repeat(2_049) }],
    ["half a character", { callback_url: "https://x.example/\ud800" }],
    // Saying "not set" would be wrong, and keeping it impossible.
    ["an Authorization value that is no text", { callback_url: url, auth_header: 5 }],
    [
      "an absurdly long Authorization value",
      { callback_url: url, authorization: "x".repeat(4_097) },
    ],
    ["no object", "pix_in"],
    ["null", null],
  ])("makes the whole answer bad with %s", (_how, item) => {
    expect(read(item)).toBe("bad_response");
  });
});

describe("a list", () => {
  it.each([
    ["missing", {}],
    ["null", { webhooks: null }],
    ["a text", { webhooks: "none" }],
    ["under another name", { data: [] }],
    ["longer than a hundred", { webhooks: new Array(101).fill({ callback_url: url }) }],
  ])("that is %s is a bad answer, never nothing registered", (_how, body) => {
    expect(judgeList(wireAnswer(200, body), [])).toMatchObject({
      kind: "failed",
      fault: { code: "bad_response" },
    });
  });

  it("shows every item, the same type twice too", () => {
    const item = { type: "pix_in", callback_url: url };
    expect(judgeList(wireAnswer(200, { webhooks: [item, item] }), [])).toMatchObject({
      value: { webhooks: [{ type: "pix_in" }, { type: "pix_in" }], unclear: false },
    });
  });
});

describe("404", () => {
  it("with the text of section 7.2 means that nothing is registered", () => {
    const answer = wireAnswer(404, { error: "Configuration not found" });
    expect(judgeList(answer, [])).toEqual({
      kind: "done",
      value: { webhooks: [], unclear: false },
    });
  });

  it.each([{ error: "Not found" }, { message: "no Route matched" }, {}, [], null])(
    "with other JSON is unclear: %j",
    (body) => {
      expect(judgeList(wireAnswer(404, body), [])).toEqual({
        kind: "done",
        value: { webhooks: [], unclear: true },
      });
    },
  );

  it.each([
    ["a page", "<h1>Not found</h1>", "text/html"],
    ["the text itself, not in JSON", "Configuration not found", "text/plain"],
    ["JSON that is none", "{", "application/json"],
    ["nothing", "", ""],
  ])("with %s is a wrong address", (_how, body, contentType) => {
    const answer = wireAnswer(404, body, { "content-type": contentType });
    expect(judgeList(answer, [])).toMatchObject({ fault: { code: "misconfigured" } });
  });
});

it.each([
  ["application/json", true],
  ["Application/JSON; charset=utf-8", true],
  ["application/problem+json", true],
  ["application/json;charset=UTF-8", true],
  ["", false],
  ["text/json", false],
  ["application/jsonp", false],
  ["application/x-json", false],
  ["text/html", false],
  ["application/json-seq", false],
])("a body of type %j is JSON: %s", (type, ok) => {
  const parsed = parseJson(wireAnswer(200, {}, { "content-type": type }));
  expect(parsed).toEqual(ok ? { ok, value: {} } : { ok, broken: false });
});
