import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { problemBody, type ProblemInit } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { describe, expect, it } from "vitest";
import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { ambiguityIn, readOperationAnswer, readSaveAnswer } from "./save-answer";
import { isDone, titleOf, writtenAs } from "@/lib/webhooks/model/save-end";
import { aConfiguration, aWebhook } from "@/lib/webhooks/testing/configurations";

const configuration = aConfiguration([aWebhook("pix_in")]);

function problem(
  code: ProblemCode,
  init: ProblemInit = {},
): { kind: "problem"; problem: ClientProblem } {
  const members = problemBody(code, "q1", init);
  return { kind: "problem", problem: { ...members, members } };
}

const body = {
  outcome: "saved",
  results: [{ type: "pix_in", outcome: "saved", answered: 200 }],
  configuration,
  requestId: "q1",
  operation: "operation-1",
};

it("saved, unchanged, partly and accepted need no reason, and every other outcome has one", () => {
  for (const outcome of ["saved", "unchanged", "accepted", "partly"])
    expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome } })).toMatchObject({
      kind: "recorded",
      result: { outcome },
      problem: null,
    });
  for (const [outcome, code] of [
    ["unclear", "outcome_unknown"],
    ["not_shown", "outcome_unknown"],
    ["not_sent", "not_saved"],
  ]) {
    const results = [{ type: "pix_in", outcome }];
    expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome, results } })).toMatchObject({
      kind: "recorded",
      problem: { code },
    });
    const two = [...results, { type: "pix_out", outcome: "saved" }];
    expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome, results: two } })).toMatchObject({
      problem: { code: "partly_saved" },
    });
  }
});

it("an answer that does not say what happened never counts as success", () => {
  const tomorrows = { ...body, outcome: "of_tomorrow" };
  for (const odd of [null, {}, "<html>", tomorrows, { ...body, results: 1 }])
    expect(readSaveAnswer({ kind: "ok", body: odd })).toEqual({ kind: "lost", problem: null });
  expect(readSaveAnswer({ kind: "no_answer" })).toEqual({ kind: "lost", problem: null });
  expect(readSaveAnswer({ kind: "no_answer", unsent: true })).toEqual({ kind: "unsent" });
});

it("a save that one type was refused of keeps what was seen of each type", () => {
  const extra = { ...body, outcome: "refused" };
  expect(readSaveAnswer(problem("upstream_rejected", { applied: "unknown", extra }))).toMatchObject(
    {
      kind: "recorded",
      result: { outcome: "refused", results: body.results, configuration: { revision: "r1" } },
      problem: { code: "upstream_rejected", requestId: "q1" },
    },
  );
});

it.each(["stale_revision", "proposal_pending"] as const)(
  "a save refused as %s carries what is registered now",
  (code) => {
    const answer = readSaveAnswer(problem(code, { applied: "no", extra: { configuration } }));
    expect(answer).toMatchObject({ kind: "refused", problem: { code }, configuration });
  },
);

it("a save that waits for a second person never counts as saved", () => {
  const waiting = { ...body, outcome: "waiting", results: [], proposal: "p1" };
  expect(readSaveAnswer({ kind: "ok", body: waiting })).toMatchObject({
    kind: "recorded",
    result: { outcome: "waiting", proposal: "p1" },
  });
});

it("an ambiguous answer of the service is named", () => {
  const of = (extra: object) =>
    ambiguityIn(problem("confirmation_required", { extra: { ...extra } }).problem);
  expect(of({ reason: "duplicate" })).toBe("duplicate");
  expect(of({ reason: "of_tomorrow" })).toBeNull();
  expect(ambiguityIn(problem("forbidden").problem)).toBeNull();
});

it("unsent saves are distinguished from possibly sent ones", () => {
  const codes = ["forbidden", "invalid_fields", "stale_revision"] as const;
  for (const code of codes)
    expect(readSaveAnswer(problem(code))).toMatchObject({ kind: "refused", configuration: null });
  expect(readSaveAnswer(problem("credentials_rejected", { applied: "no" })).kind).toBe("refused");
  expect(readSaveAnswer(problem("internal_error")).kind).toBe("lost");
  expect(readSaveAnswer(problem("upstream_timeout", { applied: "unknown" })).kind).toBe("lost");
});

describe("a save found by its id", () => {
  const asked = (overrides: object) =>
    readOperationAnswer({ kind: "ok", body: { ...body, ...overrides } });

  it("is reported with its outcome", () => {
    for (const outcome of [
      "saved",
      "accepted",
      "partly",
      "not_sent",
      "unclear",
      "refused",
      "not_shown",
    ])
      expect(asked({ outcome })).toMatchObject({ kind: "recorded", result: { outcome } });
  });

  it("has the reason that was recorded", () => {
    const results = [{ type: "pix_in", outcome: "refused", answered: 422 }];
    const reason = "upstream_rejected";
    expect(asked({ outcome: "refused", results, reason })).toMatchObject({
      problem: { code: "upstream_rejected" },
    });
  });

  it("is void, in progress, unknown, or a proposal that was not approved", () => {
    const states = ["rejected", "withdrawn", "replaced", "expired"];
    for (const outcome of ["none", "in_progress", "not_known", ...states])
      expect(asked({ outcome })).toEqual({ kind: "none", outcome, configuration });
  });

  it("is not known where the answer is unclear", () => {
    const failure = { kind: "no_answer" } as const;
    for (const odd of [null, {}, { ...body, outcome: "of_tomorrow" }])
      expect(readOperationAnswer({ kind: "ok", body: odd })).toEqual({ kind: "failed", failure });
    for (const answer of [failure, problem("signed_out")])
      expect(readOperationAnswer(answer)).toEqual({ kind: "failed", failure: answer });
  });
});

it("an address in the service's own spelling is information, another one is not", () => {
  const results: SaveResult["results"] = [{ type: "pix_in", outcome: "saved" }];
  const result: SaveResult = { ...body, outcome: "saved", results };
  const url = "https://hooks.aurora.example/pix";
  expect(writtenAs(result, "https://HOOKS.aurora.example:443/pix")).toBe(url);
  expect(writtenAs(result, `${url}/`)).toBe(url);
  expect(writtenAs(result, url)).toBeNull();
  expect(writtenAs(result, "https://hooks.aurora.example/other")).toBeNull();
});

type Result = SaveResult["results"][number];

it("leaves nothing to do once all that can be seen is shown", () => {
  const done = (...results: Result[]) => isDone({ results });
  const type = "pix_in";
  for (const outcome of ["saved", "unchanged", "partly"] as const)
    expect(done({ type, outcome })).toBe(true);
  for (const outcome of ["accepted", "unclear", "refused", "not_sent", "not_shown"] as const)
    expect(done({ type, outcome }, { type: "pix_out", outcome: "saved" })).toBe(false);
  expect(done({ type, outcome: "accepted", value: "not_shown" }), "no list will tell").toBe(true);
  expect(done()).toBe(false);
});

it("says Saved of what the service accepted, and Shown of what it shows although it did not", () => {
  const of = (answered?: number) =>
    titleOf({ outcome: "saved", results: [{ type: "pix_in", outcome: "saved", answered }] });
  expect([200, 201, 403, 500, undefined].map(of)).toEqual([
    "saved",
    "saved",
    "shown",
    "shown",
    "shown",
  ]);
});
