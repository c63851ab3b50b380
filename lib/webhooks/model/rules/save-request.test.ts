import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import { expect, it } from "vitest";
import { saveRequestSchema } from "./save-request";

const schema = saveRequestSchema({ allowPrivateTargets: false });
const valid = {
  type: "both",
  url: "https://hooks.aurora.example/pix",
  revision: "r1",
  authorization: { action: "keep" },
};

function codes(body: unknown) {
  const result = schema.safeParse(body);
  return result.success
    ? {}
    : Object.fromEntries(fieldErrors(result.error.issues).map((e) => [e.path, e.code]));
}

it.each([
  valid,
  { ...valid, type: "pix_in", revision: null },
  { ...valid, authorization: { action: "remove" } },
  { ...valid, authorization: { action: "replace", value: "Bearer x" } },
  { ...valid, confirm: true },
])("the body of a save is passed on unchanged: %j", (body) => {
  expect(schema.parse(body)).toEqual(body);
});

it("names every missing field", () => {
  const required = Object.keys(valid).map((field) => [field, "required"]);
  expect(codes({})).toEqual(Object.fromEntries(required));
});

it("names the field and the rule it breaks", () => {
  expect(
    codes({
      type: "pix_in, pix_out",
      url: "http://hooks.aurora.example",
      revision: 7,
      authorization: { action: "replace", value: "••••" },
    }),
  ).toEqual({
    type: "not_offered",
    url: "not_https",
    revision: "not_text",
    "authorization.value": "masked",
  });
});

it("refuses unknown members", () => {
  expect(codes({ ...valid, user: "someone else" })).toEqual({ user: "unknown_field" });
  expect(codes({ ...valid, authorization: { action: "keep", value: "x" } })).toEqual({
    "authorization.value": "unknown_field",
  });
  expect(codes({ ...valid, authorization: { action: "forget" } })).toEqual({
    "authorization.action": "not_offered",
  });
  expect(codes({ ...valid, confirm: false })).toEqual({ confirm: "not_offered" });
});

it.each([null, undefined, [], "x", 1])("refuses %j as a whole", (body) => {
  expect(Object.keys(codes(body))).toEqual([""]);
});

it("requires a value with `replace`", () => {
  expect(codes({ ...valid, authorization: { action: "replace" } })).toEqual({
    "authorization.value": "required",
  });
  expect(codes({ ...valid, authorization: "keep" })).toEqual({ authorization: "not_an_object" });
});

it("asks about a value that is probably a mistake, and takes it when the person has been asked", () => {
  const doubtful = { action: "replace", value: "Bearer Bearer abc123" };
  const path = "authorization.value";
  expect(codes({ ...valid, authorization: doubtful })).toEqual({ [path]: "scheme_twice" });
  expect(codes({ ...valid, authorization: { ...doubtful, confirm: true } })).toEqual({});
  const standIn = { action: "replace", value: "Bearer {TOKEN}", confirm: true };
  expect(codes({ ...valid, authorization: standIn })).toEqual({ [path]: "placeholder" });
});

it("does not carry a secret in its errors", () => {
  const result = schema.safeParse({
    ...valid,
    authorization: { action: "replace", value: "s3cret-é" },
  });
  expect(JSON.stringify(result.error?.issues)).not.toContain("s3cret");
});
