import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { db } from "@/lib/platform/database/open";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { history, inWorld, partner, world } from "@/lib/webhooks/testing/in-world";
import { randomUUID } from "node:crypto";
import { codeOf as codeOrNone } from "@/lib/platform/http/testing/thrown-problem";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { acceptInvitation, readOffer } from "./accept";
import { inviteFirstAdmin } from "@/lib/team/testing/with-access";
import { invitationToken } from "@/lib/team/testing/invitation-token";

let operator: string;

inWorld({ as: null });
beforeAll(async () => {
  operator = await world.staff("operator");
});
beforeEach(() => signInAs(operator));

const context = { requestId: "q1", clientAddress: null, locale: "en" } as const;

/** Gives the token of the link. */
async function invite() {
  const email = `${randomUUID()}@new.example`;
  await inviteFirstAdmin(partner.id, { email }, context);
  return invitationToken(email);
}

const person = { name: "Primeira Pessoa", password: "a river between two hills" };

const codeOf = (promise: Promise<unknown>) => codeOrNone(promise, "no problem");

it("lets a new partner's first admin in, by a link that the history names", async () => {
  const invited = await invite();
  signInAs(null);
  await acceptInvitation({ token: invited, person }, context);
  expect((await rowOf("memberships", { partner_id: partner.id })).role).toBe("admin");
  expect(await history("member_invited")).toMatchObject([{ actor_name: "The operator" }]);
});

it("makes no second one (threat: an operator who would see a partner's secrets)", async () => {
  await partner.person("admin");
  expect(await codeOf(invite())).toBe("invalid_fields");
  const open = await db()
    .selectFrom("invitations")
    .select("id")
    .where("partner_id", "=", partner.id)
    .execute();
  expect(open).toEqual([]);
});

it("helps a partner whose last admin cannot sign in any more", async () => {
  const admin = await partner.person("admin");
  await update("users", { disabled_at: Date.now() }, { id: admin });
  expect(await codeOf(invite())).toBe("no problem");
});

it.each([
  ["the operator lost access", (id: string) => update("users", { disabled_at: 1 }, { id })],
  [
    "the operator is of support now",
    (id: string) => update("users", { staff_role: "support" }, { id }),
  ],
  ["the partner has an admin", () => partner.person("admin")],
])(
  "ends where %s (threat: a way in that outlives the right to make it)",
  async (_what, happens) => {
    const maker = await world.staff("operator");
    signInAs(maker);
    const token = await invite();
    signInAs(null);
    expect((await readOffer(token)).state).toBe("open");
    await happens(maker);
    expect((await readOffer(token)).state).toBe("revoked");
    expect(await codeOf(acceptInvitation({ token, person }, context))).toBe("invitation_over");
  },
);
