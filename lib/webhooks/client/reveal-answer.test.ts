import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { expect, it } from "vitest";
import { readRevealAnswer } from "./reveal-answer";

const revealed = {
  type: "pix_in",
  authorization: "Bearer canary",
  absence: null,
  fingerprint: "9c41e07d",
  revision: "r1",
  readAt: "2026-01-31T12:00:00.000Z",
} as const;

function problem(given: Partial<ClientProblem>) {
  const whole = {
    status: 403,
    code: "forbidden",
    requestId: "q",
    members: null,
    ...given,
  } as const;
  return readRevealAnswer({ kind: "problem", problem: whole });
}

it("takes the value from an answer of the agreed shape, and nothing from another", () => {
  expect(readRevealAnswer({ kind: "ok", body: revealed })).toEqual({ kind: "revealed", revealed });
  const noAnswer = { kind: "failed", failure: { kind: "no_answer" } };
  expect(readRevealAnswer({ kind: "ok", body: { ...revealed, authorization: 5 } })).toEqual(
    noAnswer,
  );
  expect(readRevealAnswer({ kind: "no_answer" })).toEqual(noAnswer);
});

it("tells a password that is needed, and one that is wrong, from what fails", () => {
  expect(problem({ code: "reauthentication_required" }).kind).toBe("password_needed");
  const errors = [{ path: "password", code: "wrong_password" }];
  expect(problem({ code: "invalid_fields", errors }).kind).toBe("wrong_password");
  expect(problem({ code: "invalid_fields" }).kind).toBe("failed");
});

it.each([
  "signed_out",
  "no_password",
  "too_many_requests",
  "reveal_limit",
  "upstream_timeout",
] as const)("passes %s on whole, so that the page can say when and how to go on", (code) => {
  const failure = { kind: "problem", problem: { code, retryAfter: 60 } };
  expect(problem({ code, retryAfter: 60 })).toMatchObject({ kind: "failed", failure });
});
