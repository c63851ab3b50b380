import { insert, rowOf } from "@/lib/platform/database/testing/rows";
import { verifyEveryChain } from "@/lib/history/server/verify/verify";
import {
  aChange,
  aSave,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { confirmAlertAddress } from "@/lib/team/server/alert-addresses";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { revokeOpenAccess } from "./after-restore";

beforeAll(startHistoryWorld);

const kinds = async (partner: string) => {
  const entries = db().selectFrom("history").select("kind").where("partner_id", "=", partner);
  return (await entries.orderBy("seq").execute()).map(({ kind }) => kind);
};

it("records the restore in each history, however many there are", async () => {
  const partners: string[] = [];
  for (let i = 0; i < 105; i += 1) partners.push(await newPartner());
  await record(...partners.map((partner) => aSave(partner)));
  const none = { sessions: 0, links: 0, invitations: 0, changes: 0, confirmations: 0, captures: 0 };
  expect(await revokeOpenAccess(db())).toEqual(none);
  expect(await kinds(partners[0] ?? "")).toEqual(["save_shown", "history_restored"]);
  expect((await kinds("@people")).at(-1)).toBe("installation_restored");
  const said = db().selectFrom("history").select("partner_id").distinct();
  expect(await said.where("kind", "=", "history_restored").execute()).toHaveLength(105);
  for await (const { partnerId, fault } of verifyEveryChain(db(), new Map()))
    expect({ partnerId, fault }).toEqual({ partnerId, fault: null });
});

it("ends the changes that wait, and follows a save that may have been sent since (threat: approving what was rejected)", async () => {
  const partner = await newPartner();
  const proposed = { secret_ciphertext: "sealed", expires_at: Date.now() + 3_600_000 };
  await insert(
    "changes",
    aChange(partner, { ...proposed, id: "waiting", state: "waiting", applies_to: "pix_in" }),
    aChange(partner, { id: "unsent" }),
  );
  await insert("changes", aChange(partner, { id: "open", state: "answered", sent_at: 1 }));
  expect(await revokeOpenAccess(db())).toMatchObject({ changes: 1 });
  const ended = { state: "expired", secret_ciphertext: null };
  expect(await rowOf("changes", { id: "waiting" })).toMatchObject(ended);
  for (const [id, state] of [
    ["unsent", "sent"],
    ["open", "answered"],
  ] as const) {
    const row = await rowOf("changes", { id });
    expect(row.state).toBe(state);
    // Another machine's clock said when it was sent.
    expect(row.sent_at).toBeGreaterThan(1);
  }
});

it("ends the links that confirm an alert address, which may have been removed since, and leaves those that are confirmed (threat: a mailbox that gets alerts again)", async () => {
  const partner = await newPartner();
  const [open, confirmed] = [newToken(), newToken()];
  const context = { requestId: "q", clientAddress: null };
  const add = (address: string, token: string) =>
    insert("alert_addresses", {
      id: randomUUID(),
      partner_id: partner,
      address,
      added_by_id: "marina",
      token_hash: hashOf(token),
      expires_at: Date.now() + 3_600_000,
    });
  await add("old@group.example", confirmed);
  await confirmAlertAddress(confirmed, context);
  await add("new@group.example", open);
  expect(await revokeOpenAccess(db())).toMatchObject({ confirmations: 1 });
  expect(await codeOf(confirmAlertAddress(open, context))).toBe("not_found");
  expect(await codeOf(confirmAlertAddress(confirmed, context))).toBe("nothing");
});

it("ends nothing where it cannot record that (threat: half a restore that looks complete)", async () => {
  await insert("users", { id: "ana", email: "ana@people.example", name: "Ana", created_at: 0 });
  await startSession(db(), "ana", { clientAddress: null, userAgent: null });
  await sql`alter table history_heads rename to moved_heads`.execute(db());
  await expect(revokeOpenAccess(db())).rejects.toThrow();
  await sql`alter table moved_heads rename to history_heads`.execute(db());
  const open = db().selectFrom("sessions").select("user_id").where("revoked_at", "is", null);
  expect(await open.execute()).toHaveLength(1);
});
