import { update } from "@/lib/platform/database/testing/rows";
import { readable } from "@/lib/history/testing/people-entries";
import { db } from "@/lib/platform/database/open";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { randomUUID } from "node:crypto";
import { codeOf as codeOrNone } from "@/lib/platform/http/testing/thrown-problem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { acceptInvitation, readOffer } from "./accept";
import { inviteFirstAdmin } from "@/lib/team/testing/with-access";
import { invitationToken } from "@/lib/team/testing/invitation-token";

let world: World;
let operator: string;

beforeAll(async () => {
  world = await startWorld();
  operator = await world.staff("operator");
});
afterAll(() => world.close());
beforeEach(() => signInAs(operator));

const context = { requestId: "q1", clientAddress: null, locale: "en" } as const;

/** Gives the token of the link. */
async function invite(partnerId: string, email = `${randomUUID()}@new.example`) {
  await inviteFirstAdmin(partnerId, { email }, context);
  return invitationToken(email);
}

const setUser = (id: string, set: { disabled_at: number } | { staff_role: "support" }) =>
  db().updateTable("users").set(set).where("id", "=", id).execute();

const codeOf = (promise: Promise<unknown>) => codeOrNone(promise, "no problem");

it("lets a new partner's first admin in, by a link that the history names", async () => {
  const partner = await world.partner();
  const invited = await invite(partner.id);
  signInAs(null);
  const person = { name: "Primeira Pessoa", password: "a river between two hills" };
  await acceptInvitation({ token: invited, person }, context);
  const membership = await db()
    .selectFrom("memberships")
    .select("role")
    .where("partner_id", "=", partner.id)
    .executeTakeFirst();
  expect(membership?.role).toBe("admin");
  const kinds = await db()
    .selectFrom("history")
    .select(["kind", "actor_id", "detail_json"])
    .where("partner_id", "=", partner.id)
    .orderBy("seq")
    .execute();
  expect((await readable(db(), kinds))[0]).toMatchObject({
    kind: "member_invited",
    actor_name: "The operator",
  });
});

it("makes no second one (threat: an operator who would see a partner's secrets)", async () => {
  const partner = await world.partner();
  await partner.person("admin");
  expect(await codeOf(invite(partner.id))).toBe("invalid_fields");
  const open = await db()
    .selectFrom("invitations")
    .select("id")
    .where("partner_id", "=", partner.id)
    .execute();
  expect(open).toEqual([]);
});

it("helps a partner whose last admin cannot sign in any more", async () => {
  const partner = await world.partner();
  const admin = await partner.person("admin");
  await update("users", { disabled_at: Date.now() }, { id: admin });
  expect(await codeOf(invite(partner.id))).toBe("no problem");
});

it.each([
  ["the operator lost access", (id: string) => setUser(id, { disabled_at: 1 })],
  ["the operator is of support now", (id: string) => setUser(id, { staff_role: "support" })],
  [
    "the partner has an admin",
    async (_id: string, partner: TestPartner) => partner.person("admin"),
  ],
])(
  "ends where %s (threat: a way in that outlives the right to make it)",
  async (_what, happens) => {
    const partner = await world.partner();
    const maker = await world.staff("operator");
    signInAs(maker);
    const token = await invite(partner.id);
    signInAs(null);
    expect((await readOffer(token)).state).toBe("open");
    await happens(maker, partner);
    expect((await readOffer(token)).state).toBe("revoked");
    const person = { name: "Primeira Pessoa", password: "a river between two hills" };
    expect(await codeOf(acceptInvitation({ token, person }, context))).toBe("invitation_over");
  },
);
