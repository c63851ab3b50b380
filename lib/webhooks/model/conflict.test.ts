import { expect, it } from "vitest";
import { conflictOf, overwrittenAuthors } from "./conflict";
import type { Draft } from "./draft";
import { aConfiguration, aWebhook } from "@/lib/webhooks/testing/configurations";

const draft: Draft = {
  type: "pix_in",
  url: "https://mine.aurora.example/",
  authorization: { action: "keep", value: "" },
};
const opened = aConfiguration([aWebhook("pix_in"), aWebhook("pix_out")]);

it("shows what it was, what is wished and what it is now", () => {
  const theirs = aWebhook("pix_in", {
    callbackUrl: "https://theirs.aurora.example/",
    lastChange: { at: "2026-01-31T12:00:00.000Z", by: "Ana" },
  });
  expect(conflictOf(opened, aConfiguration([theirs, aWebhook("pix_out")]), draft)).toMatchObject([
    {
      type: "pix_in",
      opened: { url: "https://hooks.aurora.example/pix" },
      mine: { url: "https://mine.aurora.example/" },
      now: { url: "https://theirs.aurora.example/" },
      changed: { by: "Ana" },
    },
  ]);
});

it("shows a type that changed although the draft leaves it alone", () => {
  const now = aConfiguration([aWebhook("pix_in")]);
  expect(conflictOf(opened, now, draft)).toMatchObject([
    { type: "pix_in", changed: null },
    { type: "pix_out", mine: null, now: null },
  ]);
});

it("sees a value that was replaced by its fingerprint", () => {
  const authorization = { set: true, fingerprint: "ffffffff" };
  const now = aConfiguration([aWebhook("pix_in"), aWebhook("pix_out", { authorization })]);
  expect(conflictOf(opened, now, draft).map(({ type }) => type)).toEqual(["pix_in", "pix_out"]);
});

it("names whose changes would be overwritten, and not those of a type that is left alone", () => {
  const changedBy = (type: "pix_in" | "pix_out", by: string | null) =>
    aWebhook(type, {
      callbackUrl: "https://theirs.aurora.example/",
      lastChange: { at: "2026-01-31T12:00:00.000Z", by },
    });
  const now = aConfiguration([changedBy("pix_in", "Ana"), changedBy("pix_out", null)]);
  expect(overwrittenAuthors(conflictOf(opened, now, draft))).toEqual(["Ana"]);
  const both = { ...draft, type: "both" } as const;
  expect(overwrittenAuthors(conflictOf(opened, now, both))).toEqual(["Ana", null]);
  expect(overwrittenAuthors(conflictOf(opened, opened, both))).toEqual([]);
});

it("compares what is wished with what is there now", () => {
  const authorization = { set: true, fingerprint: "ffffffff" };
  const now = aConfiguration([aWebhook("pix_in", { authorization }), aWebhook("pix_out")]);
  const [conflict] = conflictOf(opened, now, draft);
  expect(conflict?.mine?.authorization).toEqual({ kind: "set", fingerprint: "ffffffff" });
});
