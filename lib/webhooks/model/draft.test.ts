import { expect, it } from "vitest";
import {
  addressesBefore,
  effectiveDraft,
  isValueOfBoth,
  sheetModeOf,
  openingDraft,
  restoringSheets,
  toSaveRequest,
} from "./draft";
import { registersWithoutValue } from "./registers-without-value";
import { saveRequestSchema } from "@/lib/webhooks/model/rules/save-request";
import { aConfiguration, aDraft, aWebhook } from "@/lib/webhooks/testing/configurations";

const other = "https://other.aurora.example/";

it("opens on the registered version", () => {
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

it("takes over the other type's address on request", () => {
  const address = { mode: "register", type: "pix_out", from: "pix_in" } as const;
  expect(
    openingDraft(aConfiguration([aWebhook("pix_in", { callbackUrl: other })]), address).url,
  ).toBe(other);
  expect(openingDraft(aConfiguration([]), address).url).toBe("");
});

it("does not offer to keep a value that the service shows in two versions", () => {
  const retype = "conflicting_values" as const;
  const conflict = { set: true, fingerprint: null, conflict: true, retype };
  const configuration = aConfiguration([aWebhook("pix_in", { authorization: conflict })]);
  expect(openingDraft(configuration, { mode: "edit", type: "pix_in" }).authorization.action).toBe(
    "replace",
  );
});

it("requires the value where it cannot be kept", () => {
  const address = { mode: "edit", type: "pix_in" } as const;
  for (const retype of ["retype_unproven", "retype_other_value"] as const) {
    const authorization = { set: true, fingerprint: "9c41e07d", retype };
    const configuration = aConfiguration([aWebhook("pix_in", { authorization })]);
    expect(openingDraft(configuration, address).authorization.action).toBe("replace");
  }
});

it("sends a value only where it is to replace", () => {
  const schema = saveRequestSchema({ allowPrivateTargets: false });
  const send = (action: "keep" | "replace" | "remove") =>
    schema.parse(toSaveRequest(aDraft({ authorization: { action, value: "typed" } }), null));
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

it("asks for confirmation before a type is registered with no value", () => {
  const nothing = aConfiguration([]);
  const draftWith = (action: "keep" | "replace", value = "") =>
    aDraft({ type: "both", authorization: { action, value } });
  expect(registersWithoutValue(nothing, draftWith("keep"))).toBe(true);
  expect(registersWithoutValue(nothing, draftWith("replace"))).toBe(true);
  expect(registersWithoutValue(nothing, draftWith("replace", "Bearer 123"))).toBe(false);
  const registered = aConfiguration([aWebhook("pix_in")]);
  expect(registersWithoutValue(registered, draftWith("keep"))).toBe(false);
});

it("takes a value that was left empty for none only where nothing is registered", () => {
  const empty = aDraft({ authorization: { action: "replace", value: "" } });
  expect(effectiveDraft(aConfiguration([]), empty).authorization.action).toBe("keep");
  expect(effectiveDraft(aConfiguration([aWebhook("pix_in")]), empty)).toBe(empty);
});

const earlier = "https://earlier.aurora.example/";
const restoring = { mode: "edit", type: "pix_in", from: "entry.7" } as const;
const openRestoring = (
  authorization: { fingerprint: string | null; hidden?: "masked" | "absent" } | null,
) =>
  openingDraft(aConfiguration([aWebhook("pix_in")]), restoring, [
    { type: "pix_in", callbackUrl: earlier, authorization },
    { type: "pix_out", callbackUrl: other, authorization: null },
  ]);

it("restores an earlier address, and requires typing the value where it has changed", () => {
  expect(openRestoring({ fingerprint: "9c41e07d" })).toEqual({
    type: "pix_in",
    url: earlier,
    authorization: { action: "keep", value: "" },
  });
  expect(openRestoring({ fingerprint: "ffffffff" }).authorization.action).toBe("replace");
  expect(openRestoring({ fingerprint: null, hidden: "masked" }).authorization.action).toBe(
    "replace",
  );
  expect(openRestoring({ fingerprint: null, hidden: "absent" }).authorization.action).toBe(
    "remove",
  );
});

it("restores what was registered before a change from outside with a new value, though the present one is the same: another server has had it", () => {
  const foreign = "https://foreign.example/pix";
  const authorization = { fingerprint: "9c41e07d" };
  const at = "2026-01-31T12:00:00.000Z";
  const configuration = aConfiguration([aWebhook("pix_in", { callbackUrl: foreign })], {
    outside: [
      {
        id: "o1",
        type: "pix_in",
        before: { callbackUrl: earlier, ...authorization },
        after: { callbackUrl: foreign, ...authorization },
        since: at,
        at,
      },
    ],
  });
  const opened = { url: earlier, authorization: { action: "replace", value: "" } };
  const ofEntry = [{ type: "pix_in", callbackUrl: earlier, authorization }] as const;
  expect(openingDraft(configuration, { ...restoring, from: "previous" })).toMatchObject(opened);
  expect(openingDraft(configuration, restoring, ofEntry)).toMatchObject(opened);
});

it("takes over another environment's address, and never its value", () => {
  const opened = openRestoring(null);
  expect(opened).toMatchObject({ url: earlier, authorization: { action: "replace", value: "" } });
});

it("starts from nothing where the address that it should start from was not fetched", () => {
  const { url } = openingDraft(aConfiguration([aWebhook("pix_in")]), restoring, []);
  expect(url).toBe("");
});

it("restores both types at once only where they were the same", () => {
  const at = (callbackUrl: string) => ({ callbackUrl, fingerprint: null });
  const change = (type: "pix_in" | "pix_out", before: string) =>
    ({ type, outcome: "overwritten", before: at(before), after: at(other) }) as const;
  const sheets = (pixIn: string, pixOut: string) =>
    restoringSheets(
      addressesBefore([change("pix_in", pixIn), change("pix_out", pixOut)]),
      "entry.7",
    ).map(({ type }) => type);
  expect(sheets(earlier, earlier)).toEqual(["both"]);
  expect(sheets(earlier, "https://x.example/")).toEqual(["pix_in", "pix_out"]);
  // Where only the value changed, or nothing took effect, no earlier address is shown.
  expect(sheets(earlier, other)).toEqual(["pix_in"]);
  expect(addressesBefore([{ ...change("pix_in", earlier), outcome: "not_saved" }])).toEqual([]);
});

it("is named after the registered version where somebody followed a link to it", () => {
  const [none, one] = [aConfiguration([]), aConfiguration([aWebhook("pix_in")])];
  expect([sheetModeOf(none, restoring), sheetModeOf(one, restoring)]).toEqual(["register", "edit"]);
  expect(sheetModeOf(none, { mode: "edit", type: "pix_in" })).toBe("edit");
});

it("takes another value for both types where they share an address and a value, and only there (threat: a receiver gets the new value of one, and refuses the other)", () => {
  const value = { set: true, fingerprint: "9c41e07d" };
  const withOut = (webhook: Parameters<typeof aWebhook>[1]) =>
    aConfiguration([aWebhook("pix_in", { authorization: value }), aWebhook("pix_out", webhook)]);
  const shared = withOut({ authorization: value });
  const { callbackUrl } = aWebhook("pix_in");
  expect(isValueOfBoth(shared, callbackUrl)).toBe(true);
  expect(isValueOfBoth(shared, other)).toBe(false);
  for (const different of [
    { authorization: value, callbackUrl: other },
    { authorization: { set: true, fingerprint: "00000000" } },
    { authorization: { set: false, fingerprint: null } },
  ])
    expect(isValueOfBoth(withOut(different), callbackUrl)).toBe(false);
  expect(isValueOfBoth(aConfiguration([aWebhook("pix_in")]), callbackUrl)).toBe(false);
});
