import { expect, it } from "vitest";
import { diffOf } from "./diff";
import type { Draft } from "./draft";
import { submitEffect } from "@/lib/webhooks/client/submit-effect";
import { aConfiguration, aWebhook } from "@/lib/webhooks/testing/configurations";

const url = "https://hooks.aurora.example/pix";
const keep: Draft["authorization"] = { action: "keep", value: "" };

it("a type that is not registered is registered, without a value where none was there to keep", () => {
  const [diff] = diffOf(aConfiguration([]), { type: "pix_out", url, authorization: keep });
  expect(diff).toMatchObject({
    effect: "register",
    before: null,
    after: { url, authorization: { kind: "unset" } },
    urlChanges: true,
    authorizationChanges: false,
  });
});

it("the same address and the value kept change nothing", () => {
  const [diff] = diffOf(aConfiguration([aWebhook("pix_in")]), {
    type: "pix_in",
    url,
    authorization: keep,
  });
  expect(diff).toMatchObject({ effect: "keep", urlChanges: false, authorizationChanges: false });
});

it("an address differs by a single character, and case counts", () => {
  const configuration = aConfiguration([aWebhook("pix_in")]);
  for (const other of [`${url}/`, url.replace("pix", "Pix")]) {
    const [diff] = diffOf(configuration, { type: "pix_in", url: other, authorization: keep });
    expect(diff).toMatchObject({ effect: "overwrite", urlChanges: true });
  }
});

it("the same address in other words is the same, and shown as the service writes it", () => {
  const typed = "https://HOOKS.aurora.example:443/pix";
  const [diff] = diffOf(aConfiguration([aWebhook("pix_in")]), {
    type: "pix_in",
    url: typed,
    authorization: keep,
  });
  expect(diff).toMatchObject({ effect: "keep", after: { url } });
});

it("what a list does not show is neither set nor not set", () => {
  const unset = { set: false, fingerprint: null };
  const draft: Draft = { type: "pix_in", url, authorization: { action: "remove", value: "" } };
  const sides = (list: "unknown" | "refuted", authorization: object) => {
    const webhook = aWebhook("pix_in", { authorization: { ...unset, ...authorization } });
    const [diff] = diffOf(aConfiguration([webhook], { list }), draft);
    return [diff?.before?.authorization.kind, diff?.after.authorization.kind, diff?.effect];
  };
  expect(sides("unknown", {})).toEqual(["none_shown", "none_sent", "overwrite"]);
  expect(sides("unknown", { hidden: "masked" })).toEqual(["hidden", "none_sent", "overwrite"]);
  expect(sides("refuted", { set: true })).toEqual(["hidden", "none_sent", "overwrite"]);
});

it("a typed value always counts as a change, since what is set is not known here", () => {
  const draft: Draft = { type: "pix_in", url, authorization: { action: "replace", value: "abc" } };
  const [diff] = diffOf(aConfiguration([aWebhook("pix_in")]), draft);
  expect(diff).toMatchObject({
    effect: "overwrite",
    after: { authorization: { kind: "typed", length: 3 } },
    authorizationChanges: true,
  });
});

it("removing a value is a change only where one is set", () => {
  const configuration = aConfiguration([
    aWebhook("pix_in"),
    aWebhook("pix_out", { authorization: { set: false, fingerprint: null } }),
  ]);
  const draft: Draft = { type: "both", url, authorization: { action: "remove", value: "" } };
  expect(diffOf(configuration, draft).map((diff) => diff.effect)).toEqual(["overwrite", "keep"]);
});

it("with both, each type keeps its own value", () => {
  const configuration = aConfiguration([
    aWebhook("pix_in"),
    aWebhook("pix_out", { authorization: { set: true, fingerprint: "00000000" } }),
  ]);
  const draft: Draft = { type: "both", url: `${url}/new`, authorization: keep };
  expect(diffOf(configuration, draft).map((diff) => diff.after.authorization)).toEqual([
    { kind: "set", fingerprint: "9c41e07d" },
    { kind: "set", fingerprint: "00000000" },
  ]);
});

it("a value that is left in the field but not chosen changes nothing", () => {
  const draft: Draft = { type: "pix_in", url, authorization: { action: "keep", value: "typed" } };
  expect(diffOf(aConfiguration([aWebhook("pix_in")]), draft)[0]?.effect).toBe("keep");
});

it("the submit button tells registering from overwriting, type by type", () => {
  const onlyIn = aConfiguration([aWebhook("pix_in")]);
  expect(submitEffect(onlyIn, "pix_in")).toEqual({ register: [], overwrite: ["pix_in"] });
  expect(submitEffect(onlyIn, "pix_out")).toEqual({ register: ["pix_out"], overwrite: [] });
  expect(submitEffect(onlyIn, "both")).toEqual({ register: ["pix_out"], overwrite: ["pix_in"] });
  expect(submitEffect(aConfiguration([]), "both")).toEqual({
    register: ["pix_in", "pix_out"],
    overwrite: [],
  });
});
