import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { problemBody, type ProblemInit } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { expect, it } from "vitest";
import { readReplaceAnswer } from "./answers";
import type { Connection } from "@/lib/connection/model/connection";

const connection: Connection = {
  partner: "aurora",
  environment: "sandbox",
  clientId: "aurora",
  clientSecret: { set: true },
  version: 2,
  changedAt: "2026-01-31T12:00:00.000Z",
  changedBy: "Marina Castro",
  approvedBy: null,
  fourEyes: false,
  proposal: null,
  lastCheck: null,
  serviceUrl: "https://api.example",
  publicAddress: null,
};

function problem(code: ProblemCode, init: ProblemInit = {}) {
  const members = problemBody(code, "q1", init);
  return { kind: "problem" as const, problem: { ...members, members } as ClientProblem };
}

it("takes a connection in the answer as replaced", () => {
  expect(readReplaceAnswer({ kind: "ok", body: connection })).toEqual({
    kind: "saved",
    connection,
  });
});

it("tells credentials that do not work from Gancho's own failures", () => {
  const notWorking = readReplaceAnswer(problem("credentials_rejected", { applied: "no" }));
  expect(notWorking.kind).toBe("not_working");
  expect(readReplaceAnswer(problem("internal_error")).kind).toBe("lost");
  expect(readReplaceAnswer(problem("too_many_requests", { applied: "no" })).kind).toBe("refused");
});

it("takes what was never sent as refused, not as lost", () => {
  const failure = { kind: "no_answer" as const, unsent: true as const };
  expect(readReplaceAnswer(failure)).toEqual({ kind: "refused", failure });
});

it("returns what somebody else set up meanwhile", () => {
  const stale = problem("stale_revision", { applied: "no", extra: { connection } });
  expect(readReplaceAnswer(stale)).toEqual({ kind: "stale", connection });
});

it("names refused fields by codes that it knows", () => {
  const errors = [
    { path: "clientId", code: "colon", message: "" },
    { path: "clientSecret", code: "of a newer server", message: "" },
  ];
  expect(readReplaceAnswer(problem("invalid_fields", { applied: "no", errors }))).toEqual({
    kind: "fields",
    errors: [
      { path: "clientId", code: "colon" },
      { path: "clientSecret", code: "not_offered" },
    ],
  });
});

it.each([{ kind: "no_answer" as const }, { kind: "ok" as const, body: "<html>" }])(
  "never reads %j as a success",
  (answer) => {
    expect(readReplaceAnswer(answer)).toEqual({ kind: "lost", problem: null });
  },
);
