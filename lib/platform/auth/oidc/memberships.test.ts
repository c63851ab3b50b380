import { withMail } from "@/lib/alerts/testing/outbox";
import { historyOf } from "@/lib/history/testing/people-entries";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { inviteMember } from "@/lib/team/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { admitTold } from "./attempt";

withMail();
beforeAll(async () => {
  await configure();
});

let partnerId: string;
let who: Record<string, unknown> & { sub: string };
beforeEach(async () => {
  signInAt({ ...aProvider, isOnlyWay: false });
  partnerId = randomUUID();
  await insert("partners", { id: partnerId, name: partnerId, created_at: 1 });
  const email = `${randomUUID()}@people.example`;
  who = { sub: randomUUID(), email, email_verified: true, name: "Eva Reis" };
});

/** Signs the person in with these groups; null where nobody lets them in. */
async function arrive(...groups: string[]): Promise<string | null> {
  const { oidc } = env();
  if (!oidc) throw new Error("there is a provider");
  const origin = { requestId: "q1", clientAddress: "192.0.2.9", userAgent: null };
  const admitted = await admitTold(oidc, { claims: { ...who, groups }, leave: null }, origin);
  return admitted?.outcome === "signed_in" ? admitted.userId : null;
}

const membership = () =>
  db()
    .selectFrom("memberships")
    .select(["role", "managed"])
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();

it("fails where the claim names more partners than one sign-in takes, and ends nothing (threat: access lost in the provider's name)", async () => {
  expect(await arrive(`pix-${partnerId}-editor`)).not.toBeNull();
  const others = Array.from({ length: 200 }, (_, at) => `pix-other-${at}-viewer`);
  await expect(arrive(...others, `pix-${partnerId}-editor`)).rejects.toThrow("200 partners");
  expect(await membership()).toEqual({ role: "editor", managed: 1 });
});

it("says of the invitations that a former admin loses that the claim revoked them, and not the admin (threat: words in somebody's name)", async () => {
  signInAs(await arrive(`pix-${partnerId}-admin`), "", "single_sign_on");
  const context = { requestId: "q1", clientAddress: null };
  const invited = { email: `${randomUUID()}@people.example`, role: "viewer" } as const;
  await inviteMember(partnerId, invited, { ...context, locale: "en" });
  await arrive();
  expect(await historyOf(partnerId, "invitation_revoked")).toMatchObject([
    { actor_id: null, client_address: null, detail: { claimed: true, replaced: false } },
  ]);
});

it.each(["editor", "admin"] as const)(
  "says that it decides from now on about %s whom an invitation made that, tells nobody of a new admin, and takes nothing from them",
  async (role) => {
    const userId = randomUUID();
    const account = { id: userId, email: String(who["email"]), name: "Eva Reis", created_at: 1 };
    await insert("users", account);
    await insert("memberships", {
      partner_id: partnerId,
      user_id: userId,
      role,
      created_at: 1,
      managed: 0,
    });
    signInAs(userId);
    const invited = { email: `${randomUUID()}@people.example`, role: "viewer" } as const;
    const context = { requestId: "q1", clientAddress: null, locale: "en" } as const;
    if (role === "admin") await inviteMember(partnerId, invited, context);
    await arrive(`pix-${partnerId}-${role}`);
    await arrive(`pix-${partnerId}-${role}`);
    expect(await membership()).toEqual({ role, managed: 1 });
    expect(await historyOf(partnerId, "membership_claimed")).toMatchObject([
      { actor_id: null, detail: { userId, before: role, after: role } },
    ]);
    expect(await historyOf(partnerId, "invitation_revoked")).toEqual([]);
    const alerts = db().selectFrom("alert_deliveries").where("kind", "=", "admin_added");
    const about = alerts.where("data_json", "like", `%${userId}%`);
    expect(await about.select("recipient").execute()).toEqual([]);
  },
);
