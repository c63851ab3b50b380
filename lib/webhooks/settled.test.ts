import { expect, it } from "vitest";
import type { Draft } from "./draft";
import { settledResult } from "./settled";
import { aConfiguration, aSave, aWebhook } from "./testing/configurations";

const draft: Draft = {
  type: "pix_in",
  url: "https://hooks.aurora.example/pix",
  authorization: { action: "keep", value: "" },
};
const webhooks = [aWebhook("pix_in")];
const opened = aConfiguration(webhooks, { recentChanges: [aSave({ id: "old", requestId: "q0" })] });
const fresh = (...entries: ReturnType<typeof aSave>[]) =>
  aConfiguration(webhooks, { recentChanges: [...entries, ...opened.recentChanges] });

it("a save is found again by its request", () => {
  const save = { requestId: "q1", draft, opened };
  expect(settledResult(save, fresh(aSave({ outcome: "not_saved" })))).toMatchObject({
    outcome: "not_saved",
  });
  expect(settledResult(save, fresh(aSave({ requestId: "q2" })))).toBeNull();
});

it("the newest word on a save counts", () => {
  const later = aSave({ id: "h2", outcome: "saved" });
  const first = aSave({ id: "h1", outcome: "unknown" });
  expect(settledResult({ requestId: "q1", draft, opened }, fresh(later, first))).toMatchObject({
    outcome: "saved",
  });
});

it("a save whose answer was lost is found by what it asked for, and never among older ones", () => {
  const save = { requestId: null, draft, opened };
  expect(settledResult(save, fresh(aSave()))).toMatchObject({ outcome: "saved" });
  expect(settledResult(save, fresh())).toBeNull();
  expect(
    settledResult({ ...save, draft: { ...draft, url: "https://x.example/" } }, fresh(aSave())),
  ).toBeNull();
});

it("a change made outside Gancho is no outcome of ours", () => {
  const outside = aSave({ kind: "changed_outside", outcome: "seen", requestId: null, by: null });
  expect(settledResult({ requestId: null, draft, opened }, fresh(outside))).toBeNull();
});
