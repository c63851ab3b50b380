import {
  aChangeOutside,
  anAttempt,
  aSave,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { log } from "@/lib/platform/log/log";
import { people } from "@/lib/platform/secrets/model/people";
import { byNobody, type NewHistoryEntry } from "./record";
import { beforeAll, expect, it, vi } from "vitest";
import { fullAuditOf } from "./full-audit";

beforeAll(startHistoryWorld);

const audit = ({ environment, types, outcome, detail }: NewHistoryEntry) =>
  fullAuditOf({
    environment,
    types: types.join(),
    outcome,
    detail_json: JSON.stringify(detail),
  } as Parameters<typeof fullAuditOf>[0]);

it("names in each line the account that the entry is about, by its id alone (threat: removals that nobody can repeat after a restore)", async () => {
  const [partner, info] = [await newPartner(), vi.spyOn(log, "info")];
  const eva = { userId: "eva", name: "Eva Reis", email: "eva@people.example" };
  await record(
    { ...byNobody, partnerId: partner, kind: "member_removed", detail: { ...eva, role: "admin" } },
    { ...byNobody, partnerId: partner, kind: "partner_suspended", detail: {} },
    {
      ...byNobody,
      partnerId: people,
      kind: "password_changed",
      actor: { id: "marina", clientAddress: null },
      outcome: "changed",
      detail: {},
    },
  );
  const lines = info.mock.calls
    .map(([line]): unknown => line)
    .filter((line) => typeof line === "object" && line !== null && "audit" in line);
  expect(lines).toMatchObject([
    { audit: { kind: "member_removed", subject: "eva" } },
    { audit: { kind: "partner_suspended" } },
    { audit: { kind: "password_changed", subject: "marina" } },
  ]);
  expect(lines[1]).not.toHaveProperty("audit.subject");
  expect(JSON.stringify(lines)).not.toMatch(/Reis|people\.example/);
});

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
