import { expect, it } from "vitest";
import {
  addressesBefore,
  asksTheSame,
  effectiveDraft,
  isValueOfBoth,
  sheetModeOf,
  openedAddress,
  openingDraft,
  questionAbout,
  restoringSheets,
  toSaveRequest,
} from "./draft";
import type { Configuration } from "./configuration";
import type { SheetAddress } from "./sheet-address";
import { saveRequestSchema } from "@/lib/webhooks/model/rules/save-request";
import { aConfiguration, aDraft, aWebhook } from "@/lib/webhooks/testing/configurations";

const other = "https://other.aurora.example/";

const nothing = aConfiguration([]);
const one = aConfiguration([aWebhook("pix_in")]);
const elsewhere = aConfiguration([aWebhook("pix_in", { callbackUrl: other })]);
const bothDiffer = aConfiguration([
  aWebhook("pix_in"),
  aWebhook("pix_out", { callbackUrl: other }),
]);

it.each<[string, Configuration, SheetAddress, object]>([
  ["on the registered version", one, { mode: "edit", type: "pix_in" }, aDraft()],
  ["empty where nothing is registered", nothing, { mode: "register", type: "both" }, { url: "" }],
  ["empty where both types differ", bothDiffer, { mode: "edit", type: "both" }, { url: "" }],
  [
    "on the other type's address on request",
    elsewhere,
    { mode: "register", type: "pix_out", from: "pix_in" },
    { url: other, authorization: { action: "replace" } },
  ],
  [
    "empty where the other type, whose address was asked for, is not registered",
    nothing,
    { mode: "register", type: "pix_out", from: "pix_in" },
    { url: "" },
  ],
  [
    "on keeping a value where one of the types has one",
    one,
    { mode: "register", type: "both" },
    { authorization: { action: "keep" } },
  ],
])("opens %s", (_how, configuration, address, draft) => {
  expect(openingDraft(configuration, address)).toMatchObject(draft);
});

it.each(["conflicting_values", "retype_unproven", "retype_other_value"] as const)(
  "requires the value where it cannot be kept: %s",
  (retype) => {
    const authorization = { set: true, fingerprint: "9c41e07d", retype };
    const configuration = aConfiguration([aWebhook("pix_in", { authorization })]);
    const opened = openingDraft(configuration, { mode: "edit", type: "pix_in" });
    expect(opened.authorization.action).toBe("replace");
  },
);

it("sends a value only with `replace`", () => {
  const schema = saveRequestSchema({ allowPrivateTargets: false });
  const send = (action: "keep" | "replace" | "remove") =>
    schema.parse(toSaveRequest(aDraft({ authorization: { action, value: "typed" } }), null));
  expect(send("keep").authorization).toEqual({ action: "keep" });
  expect(send("remove").authorization).toEqual({ action: "remove" });
  expect(send("replace").authorization).toEqual({ action: "replace", value: "typed" });
});

it("asks before a type is registered with no value, and only there treats an empty one as none", () => {
  const askedFor = (configuration: Configuration, action: "keep" | "replace", value = "") =>
    questionAbout(configuration, aDraft({ type: "both", authorization: { action, value } }), false);
  expect(askedFor(nothing, "keep")).toBe("registers_without_value");
  expect(askedFor(nothing, "replace")).toBe("registers_without_value");
  expect(askedFor(nothing, "replace", "Bearer 123")).toBeNull();
  // Only one of them has a value to keep.
  expect(askedFor(one, "keep")).toBe("registers_without_value");
  expect(askedFor(bothDiffer, "keep")).toBeNull();
  const empty = aDraft({ authorization: { action: "replace", value: "" } });
  expect(effectiveDraft(nothing, empty).authorization.action).toBe("keep");
  expect(effectiveDraft(one, empty)).toBe(empty);
});

it("asks before a value is removed in production, whether it is shown or may only be there", () => {
  const removes = aDraft({ authorization: { action: "remove", value: "" } });
  const authorizationOf = (authorization: object) =>
    aConfiguration([aWebhook("pix_in", { authorization: { ...unset, ...authorization } })]);
  const unset = { set: false, fingerprint: null };
  const unseen = authorizationOf({ hidden: "absent", retype: "retype_unproven" });
  expect(questionAbout(one, removes, true)).toBe("removes_value");
  expect(questionAbout(unseen, removes, true)).toBe("removes_value");
  expect(questionAbout(authorizationOf({}), removes, true)).toBeNull();
  expect(questionAbout(one, removes, false)).toBeNull();
});

it("asks before a value is set that is probably a mistake, and confirms it to the server", () => {
  const draftOf = (value: string) => aDraft({ authorization: { action: "replace", value } });
  const doubtful = draftOf("Bearer Bearer abc123");
  expect(questionAbout(one, doubtful, false)).toBe("doubtful_value");
  expect(questionAbout(one, draftOf("Bearer abc123"), true)).toBeNull();
  const schema = saveRequestSchema({ allowPrivateTargets: false });
  expect(schema.parse(toSaveRequest(doubtful, null)).authorization).toMatchObject({
    confirm: true,
  });
});

it("tells two drafts that mean the same save from others", () => {
  const draft = aDraft({ authorization: { action: "keep", value: "" } });
  const unused = aDraft({ authorization: { action: "keep", value: "typed, then not chosen" } });
  const empty = aDraft({ authorization: { action: "replace", value: "" } });
  expect(asksTheSame(one, draft, unused)).toBe(true);
  expect(asksTheSame(nothing, draft, empty)).toBe(true);
  expect(asksTheSame(one, draft, empty)).toBe(false);
  expect(asksTheSame(one, draft, { ...draft, url: other })).toBe(false);
  expect(asksTheSame(one, draft, { ...draft, type: "both" })).toBe(false);
});

const earlier = "https://earlier.aurora.example/";
const restoring = { mode: "edit", type: "pix_in", from: "entry.7" } as const;
const openRestoring = (
  authorization: { fingerprint: string | null; hidden?: "masked" | "absent" } | null,
) =>
  openingDraft(one, restoring, [
    { type: "pix_in", callbackUrl: earlier, authorization },
    { type: "pix_out", callbackUrl: other, authorization: null },
  ]);

it("restores an earlier address, and requires typing the value where it has changed", () => {
  expect(openRestoring({ fingerprint: "9c41e07d" })).toEqual(aDraft({ url: earlier }));
  const action = (of: Parameters<typeof openRestoring>[0]) =>
    openRestoring(of).authorization.action;
  expect(action({ fingerprint: "ffffffff" })).toBe("replace");
  expect(action({ fingerprint: null, hidden: "masked" })).toBe("replace");
  expect(action({ fingerprint: null, hidden: "absent" })).toBe("remove");
});

it("restores the address from before an outside change with a new value, even if the value is the same: another server got it", () => {
  const authorization = { fingerprint: "9c41e07d" };
  const [since, at] = ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.000Z"];
  const before = { callbackUrl: earlier, ...authorization };
  const after = { callbackUrl: other, ...authorization };
  const outside = [{ id: "o1", type: "pix_in" as const, before, after, since, at }];
  const configuration = { ...elsewhere, outside };
  const opened = { url: earlier, authorization: { action: "replace", value: "" } };
  const ofEntry = [{ type: "pix_in", callbackUrl: earlier, authorization }] as const;
  const previous = openedAddress(configuration, { ...restoring, from: "previous" });
  expect(openingDraft(configuration, previous)).toMatchObject(opened);
  expect(openingDraft(configuration, restoring, ofEntry)).toMatchObject(opened);
});

it("opens on the registered version where the outside change to restore was acknowledged meanwhile", () => {
  const address = openedAddress(one, { ...restoring, from: "previous" });
  expect(address.from).toBeUndefined();
  expect(openingDraft(one, address)).toEqual(aDraft());
});

it("copies another environment's address, and never its value", () => {
  const opened = openRestoring(null);
  expect(opened).toMatchObject({ url: earlier, authorization: { action: "replace", value: "" } });
});

it("starts empty where the source was not fetched", () => {
  expect(openingDraft(one, restoring, []).url).toBe("");
});

it("restores both types at once only where they were the same", () => {
  const at = (callbackUrl: string) => ({ callbackUrl, fingerprint: null });
  const change = (type: "pix_in" | "pix_out", before: string) =>
    ({ type, outcome: "saved", before: at(before), after: at(other) }) as const;
  const sheets = (pixIn: string, pixOut: string) =>
    restoringSheets(
      addressesBefore("save_shown", [change("pix_in", pixIn), change("pix_out", pixOut)]),
      "entry.7",
    ).map(({ type }) => type);
  expect(sheets(earlier, earlier)).toEqual(["both"]);
  expect(sheets(earlier, "https://x.example/")).toEqual(["pix_in", "pix_out"]);
  // Where only the value changed, or nothing was shown, there is no earlier address to go back to.
  expect(sheets(earlier, other)).toEqual(["pix_in"]);
  const sent = { ...change("pix_in", earlier), outcome: "accepted" } as const;
  expect(addressesBefore("save_sent", [sent])).toEqual([]);
  const seen = { ...change("pix_in", earlier), outcome: "seen" } as const;
  expect(addressesBefore("changed_outside", [seen])).toHaveLength(1);
});

it("has the title for the registered version where somebody followed a link to it", () => {
  expect(sheetModeOf(nothing, restoring)).toBe("register");
  expect(sheetModeOf(one, restoring)).toBe("edit");
  expect(sheetModeOf(nothing, { mode: "edit", type: "pix_in" })).toBe("edit");
});

it("changes the value of both types where they share an address and a value, and only there (threat: a receiver that gets the new value for one type refuses the other)", () => {
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
  expect(isValueOfBoth(one, callbackUrl)).toBe(false);
});
