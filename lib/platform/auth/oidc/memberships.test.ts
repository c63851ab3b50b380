import { withMail } from "@/lib/alerts/testing/outbox";
import { historyOf } from "@/lib/history/testing/people-entries";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { acceptInvitation } from "@/lib/team/server/invitations/accept";
import { invitationToken } from "@/lib/team/testing/invitation-token";
import { inviteMember } from "@/lib/team/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
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
const arrive = (...groups: string[]) => arriveAs(who, ...groups);

async function arriveAs(
  who: Record<string, unknown> & { sub: string },
  ...groups: string[]
): Promise<string | null> {
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

it("ends an alert address that is a former admin's own, and no other (threat: alerts that outlive access)", async () => {
  const userId = (await arrive(`pix-${partnerId}-admin`)) ?? "";
  for (const address of [String(who["email"]), "on-call@group.example"])
    await insert("alert_addresses", {
      id: randomUUID(),
      partner_id: partnerId,
      address,
      added_by_id: userId,
      token_hash: randomUUID(),
      expires_at: 1,
      confirmed_at: 1,
    });
  await arrive();
  const left = db().selectFrom("alert_addresses").select("address");
  expect(await left.where("partner_id", "=", partnerId).execute()).toEqual([
    { address: "on-call@group.example" },
  ]);
  expect(await historyOf(partnerId, "alert_address_removed")).toMatchObject([{ actor_id: null }]);
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

describe("an invitation", () => {
  const context = { requestId: "q1", clientAddress: null };
  /** Somebody at the provider, who is not the person of the other tests. */
  const someone = () => {
    const email = `${randomUUID()}@people.example`;
    return { sub: randomUUID(), email, email_verified: true, name: `Eva ${randomUUID()}` };
  };
  const invite = async (email: string) => {
    signInAs(await arriveAs(someone(), `pix-${partnerId}-admin`), "", "single_sign_on");
    await inviteMember(partnerId, { email, role: "admin" }, { ...context, locale: "en" });
  };
  const accept = async (userId: string | null) => {
    signInAs(userId, "", "single_sign_on");
    return codeOf(acceptInvitation({}, context));
  };

  it("as admin that somebody accepts whom the claim made a viewer says what they are, and tells nobody of a new admin (threat: words that are not true)", async () => {
    const eva = someone();
    await invite(eva.email);
    const userId = await arriveAs(eva, `pix-${partnerId}-viewer`);
    expect(await accept(userId)).toBe("nothing");
    expect(await historyOf(partnerId, "invitation_accepted")).toMatchObject([
      { detail: { userId, role: "viewer", already: true } },
    ]);
    const alerts = db().selectFrom("alert_deliveries").where("kind", "=", "admin_added");
    const about = alerts.where("data_json", "like", `%${userId}%`);
    expect(await about.select("recipient").execute()).toEqual([]);
    const grants = db().selectFrom("access_grants").selectAll().where("user_id", "=", userId);
    expect(await grants.execute()).toEqual([]);
  });

  it("is for who has the address now, by the provider's word (threat: an address given to somebody else)", async () => {
    const ana = someone();
    const anaId = await arriveAs(ana, `pix-${partnerId}-viewer`);
    await arriveAs({ ...ana, email: `${randomUUID()}@people.example` });
    await invite(ana.email);
    expect(await accept(anaId)).toBe("not_found");
    const colleague = await arriveAs({ ...someone(), email: ana.email });
    expect(await accept(colleague)).toBe("nothing");
    expect(await historyOf(partnerId, "invitation_accepted")).toMatchObject([
      { actor_id: colleague, detail: { role: "admin" } },
    ]);
  });

  it("is for nobody whose provider vouches for an address that somebody else has here, by its link neither", async () => {
    const [ana, other] = [someone(), someone()];
    const elsewhere = randomUUID();
    await insert("partners", { id: elsewhere, name: elsewhere, created_at: 1 });
    const anaId = await arriveAs(ana, `pix-${elsewhere}-viewer`);
    await arriveAs(other, `pix-${elsewhere}-viewer`);
    await arriveAs({ ...ana, email: other.email });
    await invite(ana.email);
    expect(await accept(anaId)).toBe("not_found");
    signInAs(anaId, "", "single_sign_on");
    const token = await invitationToken(ana.email);
    expect(await codeOf(acceptInvitation({ token }, context))).toBe("forbidden");
  });
});
