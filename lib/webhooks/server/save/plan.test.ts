import { Secret } from "@/lib/platform/runtime/secret";
import { expect, it } from "vitest";
import { callsFor, keepRefusal, planOf, type DesiredChange, type FetchedState } from "./plan";
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
    last: { written: { pix_in: { value: "held", at: 1 } } },
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

it.each([
  { shows: "another value", fingerprint: "other", code: "retype_other_value" },
  { shows: "a placeholder", fingerprint: "held", masked: true, code: "retype_not_shown" },
  { shows: "nothing", fingerprint: null, code: "retype_not_shown" },
  { shows: "a value where Gancho wrote none", written: null, code: "retype_unproven" },
  { shows: "a value of somebody else's", written: undefined, code: "retype_unproven" },
  {
    shows: "none, where somebody else registered it",
    fingerprint: null,
    written: undefined,
    code: "retype_unproven",
  },
  { shows: "none, as Gancho registered it", fingerprint: null, written: null, code: undefined },
  { shows: "what Gancho wrote last", code: undefined },
])("keeps a value only where the list shows what Gancho wrote last: it shows $shows", (given) => {
  const { fingerprint, written, masked, code } = {
    fingerprint: "held",
    written: "held",
    masked: undefined,
    ...given,
  };
  const held = holding("https://hooks.example/");
  Object.assign(held.remote.webhooks.pix_in ?? {}, { fingerprint, masked });
  const value =
    written === undefined ? {} : { pix_in: { value: written, at: 1, seen: true as const } };
  held.last = { written: value };
  const keep = keepingFor("https://hooks.example/other");
  expect(keepRefusal(keep, held, true)?.code).toBe(code);
  // With its present address nothing is written.
  expect(keepRefusal(keepingFor("https://hooks.example/"), held, true)).toBeNull();
});

it.each([
  { wrote: "what the list shows", known: "value" },
  { wrote: "another value", value: "other", known: "other" },
  { wrote: "a value, and the list shows none", shown: null, known: "other" },
  { wrote: "none, and the list shows a value", value: null, known: "other" },
  { wrote: "none, and the list shows none", value: null, shown: null, known: undefined },
  { wrote: "none, as was seen", value: null, shown: null, seen: true as const, known: "none" },
  { wrote: "a value, and the list leaves the type out", shown: undefined, known: "other" },
  {
    wrote: "none, and the type is shown before it is known",
    value: null,
    shown: null,
    isNew: true,
    known: "other",
  },
  {
    wrote: "another value, which may not be in force yet",
    value: "other",
    asked: "other",
    known: undefined,
  },
  {
    wrote: "another value, which may not be in force yet, and the type is shown before it is known",
    value: "other",
    asked: "other",
    isNew: true,
    known: "other",
  },
  { wrote: "nothing", value: undefined, known: undefined },
])("knows whether the list shows what Gancho wrote: $wrote", (given) => {
  const { value, shown, asked, seen, isNew, known } = {
    value: "held",
    asked: undefined,
    shown: "held",
    seen: undefined,
    isNew: false,
    ...given,
  };
  const held = holding("https://hooks.example/");
  if (shown === undefined) held.remote.webhooks = {};
  else Object.assign(held.remote.webhooks.pix_in ?? {}, { fingerprint: shown });
  held.last = {
    written: value === undefined ? {} : { pix_in: { value, at: 1, seen } },
    ...(isNew && { known: { pix_in: null } }),
  };
  const callbackUrl = "https://hooks.example/earlier";
  if (asked)
    held.saves = [{ desired: [{ type: "pix_in", state: { callbackUrl, fingerprint: asked } }] }];
  const [change] = planOf(keepingFor("https://hooks.example/other"), held, null);
  expect(change?.known).toBe(known);
});

it("does not keep another's value at an address that a save asked for and the service may roll back (threat: forged payments)", () => {
  const held = holding("https://hooks.example/");
  held.last = { known: { pix_in: null }, written: { pix_in: { value: "asked for", at: 1 } } };
  const keep = keepingFor("https://hooks.example/");
  expect(keepRefusal(keep, held, true)?.code).toBe("retype_other_value");
});

const ours = "https://hooks.example/";
const late = { callbackUrl: ours, fingerprint: "late" };

it.each<[string, Pick<FetchedState["last"], "lastAddress">, FetchedState["saves"]]>([
  ["the service leaves the type out", { lastAddress: { pix_in: ours } }, []],
  ["the list does not show a save yet", {}, [{ desired: [{ type: "pix_in", state: late }] }]],
])(
  "an editor who keeps or removes it cannot move the secret while %s (threat: being sent the secret)",
  (_while, last, saves) => {
    const held = holding(ours);
    held.remote.webhooks = {};
    Object.assign(held.last, last);
    held.saves = saves;
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
