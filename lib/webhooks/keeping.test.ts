import { expect, it } from "vitest";
import type { Draft } from "./draft";
import { movedTypes, problemOfKeeping } from "./keeping";
import { aConfiguration, aWebhook } from "./testing/configurations";
import { originMoves } from "./testing/origin-moves";

const unset = { set: false, fingerprint: null };
const elsewhere = "https://attacker.example/";
const draft = (overrides: Partial<Draft> = {}): Draft => ({
  type: "pix_in",
  url: elsewhere,
  authorization: { action: "keep", value: "" },
  ...overrides,
});

it("an editor cannot have the secret sent to a host of their own", () => {
  const configuration = aConfiguration([aWebhook("pix_in")]);
  expect(problemOfKeeping(configuration, draft(), false)).toBe("retype_for_new_origin");
  expect(problemOfKeeping(configuration, draft(), true)).toBeNull();
});

it.each(originMoves)(
  "the form tells as the server does: from %s to %s, another origin? %s",
  (from, url, moves) => {
    const configuration = aConfiguration([aWebhook("pix_in", { callbackUrl: from })]);
    const code = problemOfKeeping(configuration, draft({ url }), false);
    expect(code).toBe(moves ? "retype_for_new_origin" : null);
    expect(movedTypes(configuration, draft({ url }))).toHaveLength(moves ? 1 : 0);
  },
);

it("nothing stands against another path, another value, or no value", () => {
  const configuration = aConfiguration([aWebhook("pix_in")]);
  const sameOrigin = "https://HOOKS.aurora.example:443/elsewhere";
  expect(problemOfKeeping(configuration, draft({ url: sameOrigin }), false)).toBeNull();
  const replace = draft({ authorization: { action: "replace", value: "x" } });
  expect(problemOfKeeping(configuration, replace, false)).toBeNull();
  const withoutValue = aConfiguration([aWebhook("pix_in", { authorization: unset })]);
  expect(problemOfKeeping(withoutValue, draft(), false)).toBeNull();
});

it("with both, one type that moves with its value is enough", () => {
  const configuration = aConfiguration([
    aWebhook("pix_in", { authorization: unset }),
    aWebhook("pix_out", { callbackUrl: "https://other.example/" }),
  ]);
  const both = draft({ type: "both", url: "https://hooks.aurora.example/" });
  expect(problemOfKeeping(configuration, both, false)).toBe("retype_for_new_origin");
});

it("an address that the rule refuses equals no other", () => {
  const odd = aConfiguration([aWebhook("pix_in", { callbackUrl: "http://plain.example/" })]);
  expect(movedTypes(odd, draft())).toHaveLength(1);
  expect(movedTypes(odd, draft({ url: "http://plain.example/" }))).toHaveLength(0);
});

it("two values at once cannot be kept, not even by an admin", () => {
  const authorization = { set: true, fingerprint: null, conflict: true };
  const configuration = aConfiguration([aWebhook("pix_in", { authorization })]);
  expect(problemOfKeeping(configuration, draft(), true)).toBe("conflicting_values");
});
