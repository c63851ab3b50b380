import { describe, expect, it } from "vitest";
import type { Draft } from "./draft";
import { movedTypes, keepBlockedReason } from "./keeping";
import { aConfiguration, aDraft, aWebhook } from "@/lib/webhooks/testing/configurations";
import { originMoves } from "@/lib/webhooks/testing/origin-moves";

const unset = { set: false, fingerprint: null };
const elsewhere = "https://attacker.example/";
const draft = (overrides: Partial<Draft> = {}) => aDraft({ url: elsewhere, ...overrides });

it.each(originMoves)(
  "the form decides as the server does: from %s to %s, another origin? %s",
  (from, url, moves) => {
    const configuration = aConfiguration([aWebhook("pix_in", { callbackUrl: from })]);
    const code = keepBlockedReason(configuration, draft({ url }), false);
    expect(code).toBe(moves ? "retype_for_new_origin" : null);
    expect(keepBlockedReason(configuration, draft({ url }), true)).toBeNull();
    expect(movedTypes(configuration, draft({ url }))).toHaveLength(moves ? 1 : 0);
  },
);

it("allows a move with a typed value, without a value that Gancho registered, or where nothing is registered", () => {
  const configuration = aConfiguration([aWebhook("pix_in")]);
  const replace = draft({ authorization: { action: "replace", value: "x" } });
  expect(keepBlockedReason(configuration, replace, false)).toBeNull();
  const withoutValue = aConfiguration([aWebhook("pix_in", { authorization: unset })]);
  expect(keepBlockedReason(withoutValue, draft(), false)).toBeNull();
  expect(keepBlockedReason(aConfiguration([]), draft({ type: "both" }), false)).toBeNull();
});

it("with both, one type that moves with its value requires typing it", () => {
  const configuration = aConfiguration([
    aWebhook("pix_in", { authorization: unset }),
    aWebhook("pix_out", { callbackUrl: "https://other.example/" }),
  ]);
  const both = draft({ type: "both", url: "https://hooks.aurora.example/" });
  expect(keepBlockedReason(configuration, both, false)).toBe("retype_for_new_origin");
});

it("an address that the rule refuses equals only itself", () => {
  const plain = "http://plain.example/";
  const odd = aConfiguration([aWebhook("pix_in", { callbackUrl: plain })]);
  expect(movedTypes(odd, draft({ url: plain }))).toHaveLength(0);
});

describe("a value that the reading says cannot be kept", () => {
  const moved = draft({ url: "https://hooks.aurora.example/elsewhere" });
  const same = draft({ url: "https://HOOKS.aurora.example:443/pix" });

  it.each([
    "retype_not_shown",
    "retype_other_value",
    "retype_unproven",
    "conflicting_values",
  ] as const)("has to be typed with another address, with the reason: %s", (retype) => {
    for (const authorization of [unset, { set: true, fingerprint: "9c41e07d" }]) {
      const webhook = aWebhook("pix_in", { authorization: { ...authorization, retype } });
      const configuration = aConfiguration([webhook]);
      expect(keepBlockedReason(configuration, moved, true)).toBe(retype);
      expect(keepBlockedReason(configuration, same, true)).toBeNull();
    }
  });

  it("an editor cannot bypass it with a removal that the service may not carry out", () => {
    const remove = draft({ authorization: { action: "remove", value: "" } });
    for (const retype of ["retype_unproven", "retype_not_shown"] as const) {
      const authorization = { ...unset, retype };
      const configuration = aConfiguration([aWebhook("pix_in", { authorization })]);
      expect(keepBlockedReason(configuration, remove, false)).toBe("retype_for_new_origin");
      expect(keepBlockedReason(configuration, remove, true)).toBeNull();
    }
    const set = aConfiguration([aWebhook("pix_in")]);
    expect(keepBlockedReason(set, remove, false)).toBe("retype_for_new_origin");
    const none = aConfiguration([aWebhook("pix_in", { authorization: unset })]);
    expect(keepBlockedReason(none, remove, false)).toBeNull();
  });

  it("with both, only the type whose address changes counts", () => {
    const authorization = { ...unset, retype: "retype_unproven" as const };
    const configuration = aConfiguration([
      aWebhook("pix_in"),
      aWebhook("pix_out", { callbackUrl: elsewhere, authorization }),
    ]);
    const both = draft({ type: "both", url: elsewhere });
    expect(keepBlockedReason(configuration, both, true)).toBeNull();
    const { url } = moved;
    expect(keepBlockedReason(configuration, { ...both, url }, true)).toBe("retype_unproven");
  });
});
