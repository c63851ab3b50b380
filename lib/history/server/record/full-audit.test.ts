import { aChangeOutside, anAttempt, aSave } from "@/lib/history/testing/history-world";
import type { NewHistoryEntry } from "./record";
import { expect, it } from "vitest";
import { fullAuditOf } from "./full-audit";

const audit = ({ environment, types, outcome, detail }: NewHistoryEntry) =>
  fullAuditOf({
    environment,
    types: types.join(),
    outcome,
    detail_json: JSON.stringify(detail),
  } as Parameters<typeof fullAuditOf>[0]);

it("says environment, types, state and origins, and neither a path nor a fingerprint", () => {
  expect(audit(aSave("aurora"))).toEqual({
    environment: "sandbox",
    types: ["pix_in"],
    state: "saved",
    changes: [
      { type: "pix_in", state: "saved", before: "hooks.example.com", after: "hooks.example.com" },
    ],
  });
  expect(audit(anAttempt("aurora", "q")).changes).toEqual([
    { type: "pix_in", after: "hooks.example.com" },
  ]);
  expect(JSON.stringify(audit(aChangeOutside("aurora")))).not.toMatch(/\/out|9c41/);
});

it("says of other kinds what there is", () => {
  const entry = {
    partnerId: "aurora",
    environment: null,
    kind: "partner_suspended",
    types: [],
    actor: null,
    requestId: null,
    outcome: null,
    detail: {},
  } as const;
  expect(audit(entry)).toEqual({ environment: null, types: [], state: null });
});
