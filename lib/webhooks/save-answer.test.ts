import type { ClientProblem } from "@/lib/fetch-json";
import { problemBody, type ProblemCode, type ProblemInit } from "@/lib/problem";
import { expect, it } from "vitest";
import { readSaveAnswer } from "./save-answer";
import { aConfiguration, aWebhook } from "./testing/configurations";

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
};

it("saved and unchanged are the only good ends", () => {
  for (const outcome of ["saved", "unchanged"])
    expect(readSaveAnswer({ kind: "ok", body: { ...body, outcome } })).toMatchObject({
      kind: "done",
    });
});

it("an answer that does not say what happened is never taken for success", () => {
  for (const odd of [null, {}, "<html>", { ...body, outcome: "partial" }, { ...body, results: 1 }])
    expect(readSaveAnswer({ kind: "ok", body: odd })).toEqual({ kind: "lost", problem: null });
  expect(readSaveAnswer({ kind: "no_answer" })).toEqual({ kind: "lost", problem: null });
});

it("a save that was only partly made keeps what happened to each type", () => {
  const extra = { ...body, outcome: "partial" };
  expect(readSaveAnswer(problem("partly_saved", { applied: "unknown", extra }))).toMatchObject({
    kind: "not_done",
    result: { outcome: "partial", results: body.results, configuration: { revision: "r1" } },
  });
});

it("a stale form gets what is there now", () => {
  const answer = readSaveAnswer(
    problem("stale_revision", { applied: "no", extra: { configuration } }),
  );
  expect(answer).toMatchObject({ kind: "stale", configuration: { revision: "r1" } });
});

it("what waits for a second person is never taken for saved", () => {
  const waiting = {
    outcome: "waiting",
    results: [],
    proposal: "p1",
    configuration,
    requestId: "q1",
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

it("what surely sent nothing is told from what may have", () => {
  expect(readSaveAnswer(problem("forbidden")).kind).toBe("refused");
  expect(readSaveAnswer(problem("credentials_rejected", { applied: "no" })).kind).toBe("refused");
  expect(readSaveAnswer(problem("internal_error")).kind).toBe("lost");
  expect(readSaveAnswer(problem("upstream_timeout", { applied: "unknown" })).kind).toBe("lost");
});

it("a problem without the members it should carry still tells that nothing was sent", () => {
  expect(readSaveAnswer(problem("stale_revision", { applied: "no" })).kind).toBe("refused");
});
