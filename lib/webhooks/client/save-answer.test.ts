import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { problemBody, type ProblemInit } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { describe, expect, it } from "vitest";
import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { ambiguityIn, readOperationAnswer, readSaveAnswer } from "./save-answer";
import { isAddressOnly, newAddresses, writtenAs } from "@/lib/webhooks/model/save-end";
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
  results: [{ type: "pix_in", outcome: "overwritten" }],
  configuration,
  requestId: "q1",
  operation: "operation-1",
};

it("saved, unchanged and accepted need no reason, and every other outcome has one", () => {
  for (const outcome of ["saved", "unchanged", "accepted"])
    expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome } })).toMatchObject({
      kind: "recorded",
      result: { outcome },
      problem: null,
    });
  expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome: "partial" } })).toMatchObject({
    kind: "recorded",
    problem: { code: "partly_saved" },
  });
});

it("an answer that does not say what happened never counts as success", () => {
  const tomorrows = { ...body, outcome: "of_tomorrow" };
  for (const odd of [null, {}, "<html>", tomorrows, { ...body, results: 1 }])
    expect(readSaveAnswer({ kind: "ok", body: odd })).toEqual({ kind: "lost", problem: null });
  expect(readSaveAnswer({ kind: "no_answer" })).toEqual({ kind: "lost", problem: null });
  expect(readSaveAnswer({ kind: "no_answer", unsent: true })).toEqual({ kind: "unsent" });
});

it("a save that was only partly made keeps what happened to each type", () => {
  const extra = { ...body, outcome: "partial" };
  expect(readSaveAnswer(problem("partly_saved", { applied: "unknown", extra }))).toMatchObject({
    kind: "recorded",
    result: { outcome: "partial", results: body.results, configuration: { revision: "r1" } },
    problem: { code: "partly_saved", requestId: "q1" },
  });
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
    for (const outcome of ["saved", "accepted", "partial", "not_saved", "unknown", "overtaken"])
      expect(asked({ outcome })).toMatchObject({ kind: "recorded", result: { outcome } });
  });

  it("has the reason that was recorded", () => {
    expect(asked({ outcome: "not_saved", reason: "upstream_rejected" })).toMatchObject({
      problem: { code: "upstream_rejected" },
    });
    expect(asked({ outcome: "partial" })).toMatchObject({ problem: { code: "partly_saved" } });
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
  const results: SaveResult["results"] = [{ type: "pix_in", outcome: "overwritten" }];
  const result: SaveResult = { ...body, outcome: "saved", results };
  const url = "https://hooks.aurora.example/pix";
  expect(writtenAs(result, "https://HOOKS.aurora.example:443/pix")).toBe(url);
  expect(writtenAs(result, url)).toBeNull();
  expect(writtenAs(result, "https://hooks.aurora.example/other")).toBeNull();
});

it("an outcome with only the address confirmed leaves nothing open", () => {
  const seen = { type: "pix_in", outcome: "accepted", authorization: "not_shown" } as const;
  const result: SaveResult = { ...body, outcome: "accepted", results: [seen] };
  expect(isAddressOnly(result)).toBe(true);
  expect(isAddressOnly({ ...result, open: true })).toBe(false);
  expect(isAddressOnly({ ...result, outcome: "partial" })).toBe(false);
  const overtaken = { type: "pix_out", outcome: "overtaken" } as const;
  expect(isAddressOnly({ ...result, results: [seen, overtaken] })).toBe(false);
  const { type, outcome } = seen;
  expect(isAddressOnly({ ...result, results: [{ type, outcome }] })).toBe(false);
});

const now = "https://hooks.aurora.example/pix";

function ended(results: SaveResult["results"], moved: SaveResult["moved"] = []) {
  const callbackUrl = now;
  const webhooks = [aWebhook("pix_in", { callbackUrl }), aWebhook("pix_out", { callbackUrl })];
  const configuration = aConfiguration(webhooks);
  return newAddresses({ results, configuration, moved });
}

it("marks what was registered, and what was overwritten with another address", () => {
  expect(ended([{ type: "pix_out", outcome: "created" }])).toEqual([`pix_out ${now}`]);
  expect(ended([{ type: "pix_in", outcome: "overwritten" }], ["pix_in"])).toEqual([
    `pix_in ${now}`,
  ]);
});

it("marks no address that stayed, that was not confirmed, or that is unknown", () => {
  expect(ended([{ type: "pix_in", outcome: "overwritten" }])).toEqual([]);
  for (const outcome of ["unchanged", "not_saved", "accepted", "unknown"] as const)
    expect(ended([{ type: "pix_in", outcome }])).toEqual([]);
  const results = [{ type: "pix_in", outcome: "created" }] as const;
  expect(newAddresses({ results: [...results], configuration: null })).toEqual([]);
});
