import type { Proposal } from "@/lib/webhooks/model/configuration";
import { aConfiguration, aWebhook } from "@/lib/webhooks/testing/configurations";
import { describe, expect, it } from "vitest";
import { needsApproval, pendingProposals } from "./needs-approval";
import { proposalVersionsOf } from "./sides";

const url = "https://hooks.aurora.example/pix";
const elsewhere = "https://other.example/pix";
const shown = aConfiguration([aWebhook("pix_in")], { fourEyes: true });

function aProposal(overrides: Partial<Proposal> = {}): Proposal {
  return {
    id: "p1",
    type: "pix_in",
    url: elsewhere,
    authorization: "keep",
    reason: null,
    by: { id: "u1", name: "Marina Castro" },
    at: "2026-01-31T12:00:00.000Z",
    expiresAt: "2026-02-01T12:00:00.000Z",
    basis: [{ type: "pix_in", before: { callbackUrl: url, fingerprint: "9c41e07d" } }],
    outdated: false,
    approvers: [],
    ...overrides,
  };
}

describe("what a proposal would do", () => {
  it("says that a value which is kept goes along to another origin", () => {
    expect(proposalVersionsOf(shown, aProposal(), "pix_in")).toMatchObject({
      now: { url },
      after: { url: elsewhere, authorization: { kind: "set", fingerprint: "9c41e07d" } },
      moves: true,
      keeps: true,
    });
  });

  it("shows a value only as replaced or removed", () => {
    const after = (authorization: Proposal["authorization"]) =>
      proposalVersionsOf(shown, aProposal({ authorization }), "pix_in").after.authorization;
    expect(after("replace")).toEqual({ kind: "new" });
    expect(after("remove")).toEqual({ kind: "unset" });
  });

  it("registers where nothing is registered", () => {
    const sides = proposalVersionsOf(shown, aProposal({ type: "both" }), "pix_out");
    expect(sides).toMatchObject({ basis: null, now: null, moves: false, keeps: false });
  });
});

describe("what the form says before it is sent", () => {
  it("names a save that would wait: of another address, of a first one, of both where one differs", () => {
    expect(needsApproval(shown, { type: "pix_in", url: elsewhere })).toBe(true);
    expect(needsApproval(shown, { type: "pix_out", url })).toBe(true);
    expect(needsApproval(shown, { type: "both", url })).toBe(true);
    expect(needsApproval(shown, { type: "pix_in", url })).toBe(false);
    const off = aConfiguration(shown.webhooks);
    expect(needsApproval(off, { type: "pix_in", url: elsewhere })).toBe(false);
  });

  it("finds what waits for any of the types", () => {
    const both = aProposal({ type: "both" });
    const configuration = { ...shown, proposals: [both] };
    expect(pendingProposals(configuration, "pix_out")).toEqual([both]);
    expect(pendingProposals({ ...shown, proposals: [aProposal()] }, "pix_out")).toEqual([]);
  });
});
