import { Secret } from "@/lib/platform/runtime/secret";
import { expect, it } from "vitest";
import { look, nothingObserved } from "@/lib/webhooks/server/observe/look";
import { noTypes, type TypeObserved } from "@/lib/webhooks/server/observe/observed";
import { versionOf, type RemoteWebhook } from "@/lib/webhooks/server/observe/remote-state";
import type { SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { callsFor, keepRefusal, type DesiredChange, type ShownState } from "./plan";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { originMoves } from "@/lib/webhooks/testing/origin-moves";

/** One look showed this, with the value that Gancho had sent last; `shows`: of Pix in, in place of that. */
function holding(callbackUrl: string, shows: Partial<RemoteWebhook> = {}): ShownState {
  const webhook = {
    callbackUrl,
    fingerprint: "held",
    authorizationConflict: false,
    events: null,
    duplicate: false,
    inferred: false,
    ...shows,
  };
  const remote = { webhooks: { pix_in: webhook }, unrecognised: [], unclear: false };
  const now = { at: 1, steady: 1 };
  const pix_in = {
    ...noTypes.pix_in,
    ...look(nothingObserved, versionOf(webhook), now, []).observed,
    sentValue: "held",
  };
  return {
    values: { pix_in: new Secret("Bearer held") },
    remote,
    types: { ...noTypes, pix_in },
    saves: [],
  };
}

function keepingFor(url: string): SaveRequest {
  return { type: "pix_in", url, revision: "r1", authorization: { action: "keep" } };
}

it.each(originMoves)(
  "from %s to %s: another origin? %s (threat: being sent the secret)",
  (from, to, moves) => {
    const code = keepRefusal(keepingFor(to), holding(from), false)?.code;
    expect(code).toBe(moves ? "retype_for_new_origin" : undefined);
    expect(keepRefusal(keepingFor(to), holding(from), true)).toBeNull();
  },
);

it.each<[string, Partial<RemoteWebhook>, Partial<TypeObserved>, string | undefined]>([
  ["another value", { fingerprint: "other" }, {}, "retype_other_value"],
  ["a placeholder", { masked: true }, {}, "retype_not_shown"],
  ["nothing", { fingerprint: null }, {}, "retype_not_shown"],
  ["two values", { authorizationConflict: true }, {}, "conflicting_values"],
  ["a value of somebody else's", {}, { sentValue: null }, "retype_unproven"],
  [
    "none, where somebody else registered it",
    { fingerprint: null },
    { sentValue: null },
    "retype_unproven",
  ],
  [
    "none, as a save here asked",
    { fingerprint: null },
    { sentValue: null, sentNone: true },
    undefined,
  ],
  ["what Gancho sent last", {}, {}, undefined],
])(
  "keeps a value only where the list shows what Gancho sent last: it shows %s",
  (_shows, shows, observed, code) => {
    const held = holding("https://hooks.example/", shows);
    Object.assign(held.types.pix_in, observed);
    const keep = keepingFor("https://hooks.example/other");
    expect(keepRefusal(keep, held, true)?.code).toBe(code);
    // With its present address nothing is written.
    expect(keepRefusal(keepingFor("https://hooks.example/"), held, true)).toBeNull();
  },
);

it("does not keep another's value at an address that is shown and not settled (threat: forged payments)", () => {
  const held = holding("https://hooks.example/");
  Object.assign(held.types.pix_in, { settled: null, sentValue: "asked for" });
  const keep = keepingFor("https://hooks.example/");
  expect(keepRefusal(keep, held, true)?.code).toBe("retype_other_value");
});

const ours = "https://hooks.example/";

it.each<[string, (held: ShownState) => void]>([
  ["the service leaves the type out", () => undefined],
  [
    "the list does not show a save yet",
    (held) => {
      held.types.pix_in.settled = null;
      const asked = { callbackUrl: ours, fingerprint: "late" };
      const types = [{ type: "pix_in", asked, before: null, sentAt: 1 }];
      held.saves = [{ state: "sent", types } as unknown as SaveRecord];
    },
  ],
  [
    "somebody else's address is shown",
    (held) => {
      const after = { callbackUrl: "https://attacker.example/", fingerprint: "held" };
      const told = { at: 1, steady: 1 };
      held.types.pix_in.settled = after;
      held.types.pix_in.difference = {
        before: { callbackUrl: ours, fingerprint: "held" },
        after,
        earlier: [],
        since: 1,
        told,
      };
    },
  ],
])(
  "an editor who keeps or removes it cannot move the secret while %s (threat: being sent the secret)",
  (_while, change) => {
    const held = holding(ours);
    held.remote.webhooks = {};
    change(held);
    for (const action of ["keep", "remove"] as const) {
      const request = { ...keepingFor("https://attacker.example/"), authorization: { action } };
      expect(keepRefusal(request, held, false)?.code).toBe("retype_for_new_origin");
      // An admin may, but Gancho has no value to write.
      const code = action === "keep" ? "retype_not_shown" : undefined;
      expect(keepRefusal(request, held, true)?.code).toBe(code);
    }
  },
);

it("sends one call for all types that become the same, and leaves none of them out", () => {
  const url = "https://hooks.example/";
  const becomes = (type: string) => ({ type, url, authorization: null }) as DesiredChange;
  const both = [becomes("pix_in"), becomes("pix_out")];
  expect(callsFor(both).map(({ type }) => type)).toEqual([null]);
  expect(callsFor(both.slice(1)).map(({ type }) => type)).toEqual(["pix_out"]);
  const withAnother = [...both, { ...becomes("pix_new"), url: `${url}other` }];
  expect(callsFor(withAnother).map(({ type }) => type)).toEqual(["pix_in", "pix_out", "pix_new"]);
});
