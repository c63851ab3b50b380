import { Secret } from "@/lib/platform/runtime/secret";
import { expect, it } from "vitest";
import { keepingProblem, type FetchedState } from "./plan";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { originMoves } from "@/lib/webhooks/testing/origin-moves";

function holding(callbackUrl: string): FetchedState {
  const shared = {
    callbackUrl,
    authorizationConflict: false,
    events: null,
    duplicate: false,
    inferred: false,
  };
  const nothingElse = { unrecognised: [], unclear: false };
  return {
    values: { pix_in: new Secret("Bearer held") },
    remote: { webhooks: { pix_in: { ...shared, fingerprint: "held" } }, ...nothingElse },
    fidelity: "proven",
  };
}

function keepingFor(url: string): SaveRequest {
  return { type: "pix_in", url, revision: "r1", authorization: { action: "keep" } };
}

it.each(originMoves)(
  "from %s to %s: another origin? %s (threat: being sent the secret)",
  (from, to, moves) => {
    const code = keepingProblem(keepingFor(to), holding(from), false)?.code;
    expect(code).toBe(moves ? "retype_for_new_origin" : undefined);
    expect(keepingProblem(keepingFor(to), holding(from), true)).toBeNull();
  },
);

it("an editor cannot move the secret between hosts that no parser can read (threat: being sent the secret)", () => {
  const held = holding("https://xn--a.example/");
  expect(keepingProblem(keepingFor("https://xn--b.example/"), held, false)).toEqual({
    path: "authorization",
    code: "retype_for_new_origin",
  });
  expect(keepingProblem(keepingFor("https://xn--a.example/other"), held, false)).toBeNull();
});

it("an address that breaks the rules, which the service may hold all the same, is another origin than any", () => {
  const held = holding("https://user@hooks.example/");
  expect(keepingProblem(keepingFor("https://hooks.example/"), held, false)?.code).toBe(
    "retype_for_new_origin",
  );
  expect(keepingProblem(keepingFor("https://hooks.example/"), held, true)).toBeNull();
});
