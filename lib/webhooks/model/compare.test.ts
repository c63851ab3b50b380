import { always, anyCharacter } from "@/lib/platform/runtime/testing/thorough";
import { describe, expect, it } from "vitest";
import {
  changedParts,
  diffOf,
  overtakenTypes,
  overwrittenAskers,
  sameShownVersion,
  shownVersionInHistory,
  submitEffect,
} from "./compare";
import { proposalVersionsOf } from "./proposals/versions";
import type { Draft } from "./draft";
import { aConfiguration, aDraft, aWebhook } from "@/lib/webhooks/testing/configurations";
import type { Configuration, Proposal } from "./configuration";
import { needsApproval, pendingProposals } from "@/lib/webhooks/model/proposals/needs-approval";
import fc from "fast-check";

const callbackUrl = "https://hooks.example.com/pix";
const shown = (hidden?: "masked" | "absent") =>
  shownVersionInHistory({ callbackUrl, fingerprint: null, ...(hidden && { hidden }) });

it("a value that the history does not show differs from none, masked from absent, and two differing ones from all", () => {
  expect(sameShownVersion(shown("masked"), shown("masked"))).toBe(true);
  expect(sameShownVersion(shown("masked"), shown("absent"))).toBe(false);
  expect(sameShownVersion(shown("masked"), shown())).toBe(false);
  const conflict = shownVersionInHistory({ callbackUrl, fingerprint: null, conflict: true });
  expect(conflict).toMatchObject({ authorization: { kind: "conflict" } });
  expect(sameShownVersion(conflict, shown())).toBe(false);
});

const url = "https://hooks.aurora.example/pix";

const [unset, typed] = [{ set: false, fingerprint: null }, "https://HOOKS.aurora.example:443/pix"];

it.each<[string, Partial<Draft>, object]>([
  [
    "a type that is not registered is registered, without a value where none was there to keep",
    { type: "pix_out" },
    { effect: "register", before: null, after: { url, authorization: { kind: "unset" } } },
  ],
  ["the same address and the value kept change nothing", {}, { effect: "keep" }],
  [
    "another spelling of the same address is no change, and shown as the service writes it",
    { url: typed },
    { effect: "keep", after: { url } },
  ],
  ["an address differs by a single character", { url: `${url}/` }, { effect: "overwrite" }],
  ["case counts in an address", { url: url.replace("pix", "Pix") }, { effect: "overwrite" }],
  [
    "a typed value always counts as a change, since the current one is not known here",
    { authorization: { action: "replace", value: "abc" } },
    { effect: "overwrite", after: { url, authorization: { kind: "typed", length: 3 } } },
  ],
  [
    "a value in the field without `replace` changes nothing",
    { authorization: { action: "keep", value: "typed" } },
    { effect: "keep" },
  ],
])("%s", (_what, change, diff) => {
  expect(diffOf(aConfiguration([aWebhook("pix_in")]), aDraft(change))).toMatchObject([diff]);
});

it("a value that a list does not show is neither set nor not set", () => {
  const draft = aDraft({ authorization: { action: "remove", value: "" } });
  const sides = (authorization: object) => {
    const webhook = aWebhook("pix_in", { authorization: { ...unset, ...authorization } });
    const [diff] = diffOf(aConfiguration([webhook]), draft);
    return [diff?.before?.authorization.kind, diff?.after.authorization.kind, diff?.effect];
  };
  expect(sides({ hidden: "absent" })).toEqual(["none_shown", "none_sent", "overwrite"]);
  expect(sides({ set: true, hidden: "masked" })).toEqual(["masked", "unset", "overwrite"]);
});

it("a removal is sent also where no value is shown: the service may hold one", () => {
  const withoutValue = aWebhook("pix_out", { authorization: unset });
  const draft = aDraft({ type: "both", authorization: { action: "remove", value: "" } });
  const diffs = diffOf(aConfiguration([aWebhook("pix_in"), withoutValue]), draft);
  expect(diffs).toMatchObject([{ effect: "overwrite" }, { effect: "overwrite" }]);
});

it("with both, each type keeps its own value", () => {
  const configuration = aConfiguration([
    aWebhook("pix_in"),
    aWebhook("pix_out", { authorization: { set: true, fingerprint: "00000000" } }),
  ]);
  const draft = aDraft({ type: "both", url: `${url}/new` });
  expect(diffOf(configuration, draft).map((diff) => diff.after.authorization)).toEqual([
    { kind: "set", fingerprint: "9c41e07d" },
    { kind: "set", fingerprint: "00000000" },
  ]);
});

it("the submit button distinguishes registering and overwriting, type by type", () => {
  const onlyIn = aConfiguration([aWebhook("pix_in")]);
  expect(submitEffect(onlyIn, "pix_in")).toEqual({ register: [], overwrite: ["pix_in"] });
  expect(submitEffect(onlyIn, "pix_out")).toEqual({ register: ["pix_out"], overwrite: [] });
  expect(submitEffect(onlyIn, "both")).toEqual({ register: ["pix_out"], overwrite: ["pix_in"] });
  expect(submitEffect(aConfiguration([]), "both")).toEqual({
    register: ["pix_in", "pix_out"],
    overwrite: [],
  });
});

const opened = aConfiguration([aWebhook("pix_in"), aWebhook("pix_out")]);

it("names the types that are shown differently since the form was opened, and who asked for what would be overwritten", () => {
  const shownSince = "2026-01-31T12:00:00.000Z";
  const askedBy = { at: shownSince, name: "Ana" };
  const callbackUrl = "https://theirs.aurora.example/";
  const theirs = aWebhook("pix_in", { callbackUrl, shownSince, askedBy });
  expect(overtakenTypes(opened, aConfiguration([theirs]))).toMatchObject([
    { type: "pix_in", now: { shownSince, askedBy } },
    { type: "pix_out", now: null },
  ]);
  const nobodys = aWebhook("pix_out", { callbackUrl, askedBy: null });
  const overtaken = overtakenTypes(opened, aConfiguration([theirs, nobodys]));
  expect(overwrittenAskers(overtaken, { type: "pix_in" })).toEqual(["Ana"]);
  expect(overwrittenAskers(overtaken, { type: "pix_out" })).toEqual([]);
  expect(overtakenTypes(opened, opened)).toEqual([]);
});

it("detects a replaced value by its fingerprint", () => {
  const authorization = { set: true, fingerprint: "ffffffff" };
  const now = aConfiguration([aWebhook("pix_in"), aWebhook("pix_out", { authorization })]);
  expect(overtakenTypes(opened, now).map(({ type }) => type)).toEqual(["pix_out"]);
});

const elsewhere = "https://other.example/pix";
const approved = aConfiguration([aWebhook("pix_in")], { fourEyes: true });

const aProposal = (overrides: Partial<Proposal> = {}): Proposal => ({
  id: "p1",
  type: "pix_in",
  url: elsewhere,
  authorization: "keep",
  reason: null,
  by: { id: "u1", name: "Marina Castro" },
  at: "2026-01-31T12:00:00.000Z",
  expiresAt: "2026-02-01T12:00:00.000Z",
  basis: [{ type: "pix_in", before: { callbackUrl: url, fingerprint: "9c41e07d" } }],
  outdated: false,
  approvers: [],
  ...overrides,
});

describe("the effect of a proposal", () => {
  it("says that a kept value goes to another origin", () => {
    expect(proposalVersionsOf(approved, aProposal(), "pix_in")).toMatchObject({
      now: { url },
      moves: true,
      mayHaveValue: true,
    });
  });

  it("is no move to another origin where it restores the address, and says that a kept value is known elsewhere", () => {
    const at = "2026-01-31T12:00:00.000Z";
    const before = { callbackUrl: elsewhere, fingerprint: "9c41e07d" };
    const after = { callbackUrl: url, fingerprint: "9c41e07d" };
    const outside = [{ id: "o1", type: "pix_in" as const, before, after, since: at, at }];
    expect(proposalVersionsOf({ ...approved, outside }, aProposal(), "pix_in")).toMatchObject({
      moves: false,
      mayHaveValue: true,
      exposed: true,
    });
  });

  it("registers where nothing is registered", () => {
    const versions = proposalVersionsOf(approved, aProposal({ type: "both" }), "pix_out");
    expect(versions).toMatchObject({ now: null, moves: false, mayHaveValue: false });
  });

  it("has no value to keep where Gancho saved the type without one; one that was never shown may be set", () => {
    const mayHaveValue = (authorization: object) => {
      const webhook = aWebhook("pix_in", { authorization: { ...unset, ...authorization } });
      return proposalVersionsOf(aConfiguration([webhook]), aProposal(), "pix_in").mayHaveValue;
    };
    expect(mayHaveValue({ hidden: "absent" })).toBe(false);
    expect(mayHaveValue({ hidden: "absent", retype: "retype_unproven" })).toBe(true);
  });
});

describe("what the form says before it is sent", () => {
  it("names a save that would wait: of another address, of a first one, of both where one differs, without a value", () => {
    const waits = (change: Partial<Draft>, configuration: Configuration = approved) =>
      needsApproval(configuration, aDraft({ url, ...change }));
    expect(waits({ url: elsewhere })).toBe(true);
    expect(waits({ type: "pix_out" })).toBe(true);
    expect(waits({ type: "both" })).toBe(true);
    expect(waits({})).toBe(false);
    expect(waits({ authorization: { action: "remove", value: "" } })).toBe(true);
    expect(waits({ authorization: { action: "replace", value: "Bearer two" } })).toBe(false);
    expect(waits({ url: elsewhere }, aConfiguration(approved.webhooks))).toBe(false);
  });

  it("finds the waiting proposals for any of the types", () => {
    const both = aProposal({ type: "both" });
    const configuration = { ...approved, proposals: [both] };
    expect(pendingProposals(configuration, "pix_out")).toEqual([both]);
    expect(pendingProposals({ ...approved, proposals: [aProposal()] }, "pix_out")).toEqual([]);
  });
});

it("finds the part in the middle that differs", () => {
  expect(changedParts("https://a.example/v2/pix", "https://a.example/v3/pix")).toEqual([
    { start: "https://a.example/v", changed: "2", end: "/pix" },
    { start: "https://a.example/v", changed: "3", end: "/pix" },
  ]);
});

it("does not count a repeated character twice", () => {
  expect(changedParts("aa", "aaa")[1]).toEqual({ start: "aa", changed: "a", end: "" });
});

it("loses nothing", () => {
  const text = fc.string({ unit: anyCharacter });
  always(1_000, text, text, (before, after) => {
    const whole = changedParts(before, after).map(
      ({ start, changed, end }) => start + changed + end,
    );
    expect(whole).toEqual([before, after]);
  });
});
