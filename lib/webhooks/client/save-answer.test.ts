import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { problemBody, type ProblemCode, type ProblemInit } from "@/lib/platform/http/model/problem";
import { describe, expect, it } from "vitest";
import type { OpenSave, SaveResult } from "@/lib/webhooks/model/configuration";
import { readOperationAnswer, readSaveAnswer } from "./save-answer";
import { endedAfterError, endOf, isAddressOnly, writtenAs } from "./save-end";
import { aConfiguration, aSave, aWebhook } from "@/lib/webhooks/testing/configurations";

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

it("saved and unchanged are the only good ends, and accepted is none", () => {
  for (const outcome of ["saved", "unchanged"])
    expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome } })).toMatchObject({
      kind: "done",
    });
  expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome: "accepted" } })).toMatchObject({
    kind: "accepted",
  });
});

it("an answer that does not say what happened never counts as success", () => {
  for (const odd of [null, {}, "<html>", { ...body, outcome: "partial" }, { ...body, results: 1 }])
    expect(readSaveAnswer({ kind: "ok", body: odd })).toEqual({ kind: "lost", problem: null });
  expect(readSaveAnswer({ kind: "no_answer" })).toEqual({ kind: "lost", problem: null });
  expect(readSaveAnswer({ kind: "no_answer", unsent: true })).toEqual({ kind: "unsent" });
});

it("a save that was only partly made keeps what happened to each type", () => {
  const extra = { ...body, outcome: "partial" };
  expect(readSaveAnswer(problem("partly_saved", { applied: "unknown", extra }))).toMatchObject({
    kind: "not_done",
    result: { outcome: "partial", results: body.results, configuration: { revision: "r1" } },
  });
});

it("a stale form gets the present state", () => {
  const answer = readSaveAnswer(
    problem("stale_revision", { applied: "no", extra: { configuration } }),
  );
  expect(answer).toMatchObject({ kind: "stale", configuration: { revision: "r1" } });
});

it("a save that waits for a second person never counts as saved", () => {
  const waiting = {
    outcome: "waiting",
    results: [],
    proposal: "p1",
    configuration,
    requestId: "q1",
    operation: "operation-1",
  };
  expect(readSaveAnswer({ kind: "ok", body: waiting })).toMatchObject({
    kind: "waiting",
    result: { proposal: "p1" },
  });
  const extra = { configuration };
  expect(readSaveAnswer(problem("proposal_pending", { applied: "no", extra }))).toMatchObject({
    kind: "pending",
    configuration: { revision: "r1" },
  });
});

it("an ambiguous answer of the service is named", () => {
  const answer = readSaveAnswer(
    problem("confirmation_required", { extra: { reason: "duplicate" } }),
  );
  expect(answer).toEqual({ kind: "confirm", reason: "duplicate" });
});

it("refused fields are named by path and code, with a code of tomorrow taken as a plain refusal", () => {
  const errors = [
    { path: "url", code: "private_host", message: "…" },
    { path: "authorization", code: "of_tomorrow", message: "…" },
  ];
  expect(readSaveAnswer(problem("invalid_fields", { errors }))).toEqual({
    kind: "fields",
    errors: [
      { path: "url", code: "private_host" },
      { path: "authorization", code: "not_offered" },
    ],
  });
});

it("certainly unsent saves are told from possibly sent ones", () => {
  expect(readSaveAnswer(problem("forbidden")).kind).toBe("refused");
  expect(readSaveAnswer(problem("credentials_rejected", { applied: "no" })).kind).toBe("refused");
  expect(readSaveAnswer(problem("internal_error")).kind).toBe("lost");
  expect(readSaveAnswer(problem("upstream_timeout", { applied: "unknown" })).kind).toBe("lost");
});

it("a problem without the members it should carry still says that nothing was sent", () => {
  expect(readSaveAnswer(problem("stale_revision", { applied: "no" })).kind).toBe("refused");
});

describe("a save found by its id", () => {
  const asked = (overrides: object) =>
    readOperationAnswer({ kind: "ok", body: { ...body, ...overrides } });

  it("is reported with its outcome", () => {
    expect(asked({})).toMatchObject({ kind: "done" });
    expect(asked({ outcome: "accepted" })).toMatchObject({ kind: "accepted" });
    for (const outcome of ["partial", "not_saved", "unknown", "overtaken", "not_applied"])
      expect(asked({ outcome })).toMatchObject({ kind: "not_done", result: { outcome } });
  });

  it("has the reason that the history kept", () => {
    const recentChanges = [aSave({ outcome: "not_saved", reason: "upstream_rejected" })];
    const now = aConfiguration([], { recentChanges });
    expect(asked({ outcome: "not_saved", configuration: now })).toMatchObject({
      problem: { code: "upstream_rejected" },
    });
    expect(asked({ outcome: "partial" })).toMatchObject({ problem: { code: "partly_saved" } });
  });

  it("is void, in progress, unknown, or became a proposal that nobody approved", () => {
    const kinds = [
      "none",
      "in_progress",
      "not_known",
      "rejected",
      "withdrawn",
      "replaced",
      "expired",
    ];
    for (const outcome of kinds)
      expect(
        readOperationAnswer({ kind: "ok", body: { outcome, operation: "o1", configuration } }),
      ).toEqual({ kind: outcome, configuration });
  });

  it("is not known from an answer that does not say", () => {
    for (const odd of [null, {}, { ...body, outcome: "of_tomorrow" }])
      expect(readOperationAnswer({ kind: "ok", body: odd })).toEqual({
        kind: "failed",
        problem: null,
      });
    expect(readOperationAnswer({ kind: "no_answer" }).kind).toBe("failed");
    expect(readOperationAnswer(problem("upstream_timeout")).kind).toBe("failed");
  });
});

describe("the end of a save that was open", () => {
  const save: OpenSave = {
    operation: "operation-1",
    outcome: "unknown",
    types: ["pix_in"],
    by: "Marina Castro",
    at: "2026-01-31T12:00:00.000Z",
    until: "2026-01-31T12:10:00.000Z",
    requestId: "q1",
  };
  const seen = (...recentChanges: ReturnType<typeof aSave>[]) =>
    endOf(save, aConfiguration([aWebhook("pix_in")], { recentChanges }));

  it("is found by its request alone, never by a similar state", () => {
    expect(seen(aSave({ earlier: "unknown" }))).toMatchObject({
      outcome: "saved",
      operation: "operation-1",
      results: [{ type: "pix_in", outcome: "overwritten" }],
    });
    expect(seen(aSave({ requestId: "q2" }))).toBeNull();
    expect(seen(aSave({ outcome: "unknown" }))).toBeNull();
    expect(seen()).toBeNull();
  });

  it("that came after an error is reported as that", () => {
    const after = (overrides: Parameters<typeof aSave>[0]) => {
      const result = seen(aSave(overrides));
      return result && endedAfterError(result);
    };
    expect(after({ earlier: "unknown" })).toBe(true);
    expect(after({ reason: "upstream_unavailable" })).toBe(true);
    expect(after({ earlier: "accepted" })).toBe(false);
    expect(after({ outcome: "not_applied", earlier: "unknown" })).toBe(false);
  });
});

it("an address in the service's own spelling is information, another one is not", () => {
  const result: SaveResult = {
    ...body,
    outcome: "saved",
    results: [{ type: "pix_in", outcome: "overwritten" }],
  };
  expect(writtenAs(result, "https://HOOKS.aurora.example:443/pix")).toBe(
    "https://hooks.aurora.example/pix",
  );
  expect(writtenAs(result, "https://hooks.aurora.example/pix")).toBeNull();
  expect(writtenAs(result, "https://hooks.aurora.example/other")).toBeNull();
});

it("an end with only the address confirmed leaves nothing open", () => {
  const seen = { type: "pix_in", outcome: "accepted", authorization: "not_shown" } as const;
  const result: SaveResult = { ...body, outcome: "accepted", results: [seen] };
  expect(isAddressOnly(result)).toBe(true);
  expect(isAddressOnly({ ...result, open: true })).toBe(false);
  expect(isAddressOnly({ ...result, outcome: "partial" })).toBe(false);
  const { type, outcome } = seen;
  expect(isAddressOnly({ ...result, results: [{ type, outcome }] })).toBe(false);
});
