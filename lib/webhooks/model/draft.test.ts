import { expect, it } from "vitest";
import { doubtOf, meantDraft, openingDraft, toSaveRequest, type Draft } from "./draft";
import { saveRequestSchema } from "@/lib/webhooks/model/rules/save-request";
import { aConfiguration, aWebhook } from "@/lib/webhooks/testing/configurations";

const other = "https://other.aurora.example/";

it("opens on what is registered", () => {
  const draft = openingDraft(aConfiguration([aWebhook("pix_in")]), {
    mode: "edit",
    type: "pix_in",
  });
  expect(draft).toEqual({
    type: "pix_in",
    url: "https://hooks.aurora.example/pix",
    authorization: { action: "keep", value: "" },
  });
});

it("opens empty where nothing is registered, or where both types differ", () => {
  const both = aConfiguration([aWebhook("pix_in"), aWebhook("pix_out", { callbackUrl: other })]);
  expect(openingDraft(aConfiguration([]), { mode: "register", type: "both" }).url).toBe("");
  expect(openingDraft(both, { mode: "edit", type: "both" }).url).toBe("");
});

it("takes over the other type's address when asked to", () => {
  const address = { mode: "register", type: "pix_out", from: "pix_in" } as const;
  expect(
    openingDraft(aConfiguration([aWebhook("pix_in", { callbackUrl: other })]), address).url,
  ).toBe(other);
  expect(openingDraft(aConfiguration([]), address).url).toBe("");
});

it("does not offer to keep what the service shows two ways", () => {
  const conflict = { set: true, fingerprint: null, conflict: true };
  const configuration = aConfiguration([aWebhook("pix_in", { authorization: conflict })]);
  expect(openingDraft(configuration, { mode: "edit", type: "pix_in" }).authorization.action).toBe(
    "replace",
  );
});

it("asks for the value where the list is not known to tell it", () => {
  const address = { mode: "edit", type: "pix_in" } as const;
  for (const list of ["unknown", "refuted"] as const) {
    const configuration = aConfiguration([aWebhook("pix_in")], { list });
    expect(openingDraft(configuration, address).authorization.action).toBe("replace");
  }
});

it("sends a value only where it is to replace", () => {
  const schema = saveRequestSchema({ allowPrivateTargets: false });
  const draft = { type: "both", url: other } as const;
  const send = (action: "keep" | "replace" | "remove") =>
    schema.parse(toSaveRequest({ ...draft, authorization: { action, value: "typed" } }, null));
  expect(send("keep").authorization).toEqual({ action: "keep" });
  expect(send("remove").authorization).toEqual({ action: "remove" });
  expect(send("replace").authorization).toEqual({ action: "replace", value: "typed" });
});

it("opens on a value to be set where nothing is registered for any of the types", () => {
  const one = aConfiguration([aWebhook("pix_in")]);
  const actionFor = (type: "pix_in" | "pix_out" | "both") =>
    openingDraft(one, { mode: "register", type }).authorization.action;
  expect(actionFor("pix_out")).toBe("replace");
  expect(actionFor("both")).toBe("keep");
});

it("asks once more before a type is registered with no value, or with one that is easy to guess", () => {
  const nothing = aConfiguration([]);
  const draftWith = (action: "keep" | "replace", value = ""): Draft => ({
    type: "both",
    url: other,
    authorization: { action, value },
  });
  expect(doubtOf(nothing, draftWith("keep"))).toBe("none");
  expect(doubtOf(nothing, draftWith("replace"))).toBe("none");
  expect(doubtOf(nothing, draftWith("replace", "Bearer 123"))).toBe("weak_short");
  expect(doubtOf(nothing, draftWith("replace", "Bearer Tz1pQm3v8f2kW9xR"))).toBeNull();
  const registered = aConfiguration([aWebhook("pix_in")]);
  expect(doubtOf(registered, draftWith("replace", "Bearer 123"))).toBeNull();
});

it("takes a value that was left empty for none only where nothing is registered", () => {
  const empty: Draft = {
    type: "pix_in",
    url: other,
    authorization: { action: "replace", value: "" },
  };
  expect(meantDraft(aConfiguration([]), empty).authorization.action).toBe("keep");
  expect(meantDraft(aConfiguration([aWebhook("pix_in")]), empty)).toBe(empty);
});
