import { outcomeOf } from "@/lib/account/testing/account-world";
import { insert, update, rowOf } from "@/lib/platform/database/testing/rows";
import { requirePartner } from "@/lib/platform/access/require";
import { lockPerson } from "@/lib/platform/database/row-locks";
import * as passwordHash from "@/lib/platform/auth/passwords/password-hash";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { db } from "@/lib/platform/database/open";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { codeOf, thrownProblem as problem } from "@/lib/platform/http/testing/thrown-problem";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { acceptInvitation, readOffer } from "./accept";
import { makeInvitationLinks } from "./create-invitation";
import {
  inviteFirstAdmin,
  inviteMember,
  readTeam,
  revokeInvitation,
} from "@/lib/team/testing/with-access";
import { invitationToken } from "@/lib/team/testing/invitation-token";
import type { Invite } from "@/lib/team/model/requests";
import type { Invited } from "@/lib/team/model/team";
import { history, inWorld, nextPartner, partner, world } from "@/lib/webhooks/testing/in-world";

// The real one, before which one test makes somebody staff.
vi.mock(import("@/lib/platform/database/row-locks"), async (original) => {
  const real = await original();
  return { ...real, lockPerson: vi.fn(real.lockPerson) };
});
let admin: string;
let email: string;

inWorld({ as: null });
beforeEach(async () => {
  admin = await partner.person("admin");
  email = `${randomUUID()}@new.example`;
  signInAs(admin);
});

const context = { requestId: "test-request", clientAddress: "192.0.2.1", locale: "en" } as const;
const password = "a river between two hills";

/** Invites as the admin, then signs out: the holder of the link comes next. */
async function invite(changes: Partial<Invite> = {}): Promise<Invited & { token: string }> {
  signInAs(admin);
  const request: Invite = { email, role: "editor", ...changes };
  const invited = await inviteMember(partner.id, request, context);
  signInAs(null);
  return { ...invited, token: await invitationToken(request.email) };
}

const accept = (token: string, person?: { name: string; password: string }) =>
  acceptInvitation({ token, ...(person && { person }) }, context);

const person = { name: "Nova Pessoa", password };
const asNew = (token: string) => accept(token, person);

const emailOf = async (id: string) => (await rowOf("users", { id })).email;

const members = () =>
  db()
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["email", "name", "role"])
    .where("partner_id", "=", partner.id)
    .where("users.id", "!=", admin)
    .execute();

describe("inviting", () => {
  it("does not answer the link, whose fragment alone has the token", async () => {
    const { token, ...answer } = await invite();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Object.keys(answer)).toEqual(["invitation", "mail"]);
    expect(answer.mail).toBe("terminal");
    const stored = JSON.stringify([
      await db().selectFrom("invitations").selectAll().execute(),
      await db().selectFrom("history").selectAll().execute(),
    ]);
    expect(stored).not.toContain(token);
    signInAs(admin);
    expect(JSON.stringify(await readTeam(partner.id))).not.toContain(token);
  });

  it("is part of the team until it is accepted, and of the history forever", async () => {
    const { invitation } = await invite({ name: "Nova" });
    signInAs(admin);
    expect((await readTeam(partner.id)).invitations).toEqual([invitation]);
    const shown = { email, name: "Nova", invitedBy: "The admin", expired: false };
    expect(invitation).toMatchObject(shown);
    expect(await history("member_invited")).toMatchObject([
      { actor_name: "The admin", detail: { invitationId: invitation.id, email, role: "editor" } },
    ]);
  });

  it("is refused for a member", async () => {
    const member = await emailOf(await partner.person("viewer"));
    const refused = await problem(invite({ email: member }));
    expect(refused.init.errors).toMatchObject([{ path: "email", code: "already_member" }]);
  });

  it("ends an earlier link for the same address, as a link from the terminal does, and the history says so", async () => {
    const first = await invite();
    const second = await invite({ role: "viewer" });
    expect(await readOffer(first.token)).toEqual({ state: "revoked" });
    expect(await readOffer(second.token)).toMatchObject({ state: "open", role: "viewer" });
    const [third = ""] = await makeInvitationLinks(db(), email);
    expect(await codeOf(readOffer(second.token))).toBe("not_found");
    expect(await readOffer(new URL(third).hash.slice(1))).toMatchObject({ state: "open" });
    expect(await history("invitation_revoked")).toMatchObject([
      { actor_id: admin, detail: { invitationId: first.invitation.id, replaced: true } },
      { actor_id: null, detail: { invitationId: second.invitation.id, replaced: true } },
    ]);
  });

  it("is limited to thirty an hour (threat: mail to strangers in the operator's name)", async () => {
    for (let i = 0; i < 30; i++) await invite({ email: `${i}-${email}` });
    const refused = await problem(invite());
    expect(refused.code).toBe("too_many_requests");
    expect(refused.init.retryAfter).toBeGreaterThan(3_000);
  });

  it("gives the same answer for addresses with and without an account", async () => {
    const other = await world.partner();
    const known = await invite({ email: await emailOf(await other.person("admin")) });
    const unknown = await invite();
    const shape = ({ invitation }: Invited) => ({ ...invitation, id: "", email: "" });
    expect(Object.keys(known)).toEqual(Object.keys(unknown));
    expect(Object.keys(shape(known))).toEqual(Object.keys(shape(unknown)));
    expect(known.invitation.name).toBeNull();
  });
});

describe("a new person", () => {
  it("sees what they are invited to, chooses name and password, and can sign in", async () => {
    const { token } = await invite();
    expect(await readOffer(token)).toMatchObject({
      state: "open",
      partner: `Partner ${partner.id}`,
      role: "editor",
      email,
      you: "signed_out",
    });
    expect(await asNew(token)).toEqual({ email, path: `/partners/${partner.id}/sandbox/webhooks` });
    expect(await members()).toEqual([{ email, name: "Nova Pessoa", role: "editor" }]);
    const from = { requestId: null, clientAddress: null, userAgent: null };
    const result = await signIn(db(), { email, password, ...from }, false);
    expect(result.outcome).toBe("signed_in");
    expect(await history("invitation_accepted")).toMatchObject([
      { actor_name: "Nova Pessoa", detail: { email } },
    ]);
  });

  it.each([
    ["too short a password", { name: "Nova", password: "short" }, "person.password", "too_short"],
    [
      "the admin's name (threat: a history that names somebody else)",
      { name: "The admin", password },
      "person.name",
      "name_taken",
    ],
    ["one like Gancho's", { name: "Ganch0", password }, "person.name", "name_taken"],
    ["neither name nor password", undefined, "person", "required"],
  ])("is not accepted with %s, and the link goes on working", async (_what, person, path, code) => {
    const { token } = await invite();
    const { init } = await problem(accept(token, person));
    expect(init.errors).toMatchObject([{ path, code }]);
    expect(await readOffer(token)).toMatchObject({ state: "open" });
    expect(await members()).toEqual([]);
  });
});

describe("a person with an account", () => {
  let person: string;

  beforeEach(async () => {
    person = await (await world.partner()).person("viewer");
    email = await emailOf(person);
  });

  it("is not revealed by the link or a badly filled form (threat: an admin who finds out who has an account)", async () => {
    const known = await invite();
    email = `${randomUUID()}@new.example`;
    const unknown = await invite();
    const reported = async ({ token }: { token: string }) => {
      const offer = await readOffer(token);
      const weak = await problem(accept(token, { name: "Nova", password: "short" }));
      const empty = await problem(accept(token));
      return { keys: Object.keys(offer), you: "you" in offer && offer.you, weak, empty };
    };
    expect(await reported(known)).toEqual(await reported(unknown));
  });

  it("has to sign in first, gets no password by a link, and can be probed for twenty times an hour at most (threats: taking the account over; delaying everybody else's passwords)", async () => {
    const { token } = await invite();
    const hashing = vi.spyOn(passwordHash, "hashPassword");
    const tries = await Promise.all(Array.from({ length: 25 }, () => outcomeOf(asNew(token))));
    expect(tries.filter((outcome) => outcome === "person: has_account")).toHaveLength(20);
    expect(tries.filter((outcome) => outcome === "too_many_requests")).toHaveLength(5);
    expect(hashing).not.toHaveBeenCalled();
    expect(await rowOf("users", { id: person })).toMatchObject({ password_hash: null });
  });

  it("accepts when signed in, and keeps their roles elsewhere", async () => {
    const { token } = await invite();
    signInAs(person);
    expect(await readOffer(token)).toMatchObject({ you: "invited" });
    await accept(token);
    expect((await requirePartner(partner.id, "webhooks.write")).role).toBe("editor");
  });

  it("accepts without the link the invitation that they saw, not a newer one or another person's (threat: joining another partner that invites them meanwhile)", async () => {
    const { id } = (await invite()).invitation;
    const other = await world.partner();
    signInAs(await other.person("admin"));
    await inviteMember(other.id, { email, role: "admin" }, { ...context, locale: "en" });
    signInAs(await other.person("viewer"));
    expect(await codeOf(acceptInvitation({ id }, context))).toBe("not_found");
    signInAs(person);
    expect((await acceptInvitation({ id }, context)).path).toContain(partner.id);
  });

  it("is the only one who can accept (threat: a link that is passed on)", async () => {
    const { token } = await invite();
    signInAs(await (await world.partner()).person("admin"));
    expect(await readOffer(token)).toMatchObject({ you: "other" });
    expect((await problem(accept(token))).code).toBe("forbidden");
    expect(await members()).toEqual([]);
  });

  it("who is made staff meanwhile cannot become a member (threat: support that writes)", async () => {
    const { token } = await invite();
    signInAs(person);
    const real = vi.mocked(lockPerson).getMockImplementation();
    vi.mocked(lockPerson).mockImplementationOnce(async (trx, id) => {
      await trx.updateTable("users").set({ staff_role: "support" }).where("id", "=", id).execute();
      return real?.(trx, id) as never;
    });
    expect((await problem(accept(token))).code).toBe("forbidden");
    expect(await members()).toEqual([]);
    expect(await readOffer(token)).toMatchObject({ state: "open" });
  });

  it("who is staff cannot become a member (threat: support that writes)", async () => {
    await update("users", { staff_role: "support" }, { id: person });
    const { token } = await invite({ role: "admin" });
    signInAs(person);
    expect(await readOffer(token)).toMatchObject({ you: "staff" });
    expect((await problem(accept(token))).code).toBe("forbidden");
    expect(await members()).toEqual([]);
  });

  it("who became a member meanwhile keeps the role they were given", async () => {
    const { token } = await invite({ role: "admin" });
    await insert("memberships", {
      partner_id: partner.id,
      user_id: person,
      role: "viewer",
      created_at: 1,
    });
    signInAs(person);
    await accept(token);
    expect(await members()).toMatchObject([{ role: "viewer" }]);
  });
});

describe("a link works once and for a limited time", () => {
  it("of twenty concurrent attempts one succeeds", async () => {
    const { token } = await invite();
    const attempts = Array.from({ length: 20 }, () => codeOf(asNew(token), "accepted"));
    const others = (await Promise.all(attempts)).filter((outcome) => outcome !== "accepted");
    expect(others).toHaveLength(19);
    // A later attempt meets the account that the first one made, or the used link.
    for (const code of others) expect(["invitation_over", "invalid_fields"]).toContain(code);
    expect(await members()).toHaveLength(1);
    expect(await history("invitation_accepted")).toHaveLength(1);
  });

  it("of twenty with an account one succeeds too", async () => {
    const person = await (await world.partner()).person("viewer");
    const { token } = await invite({ email: await emailOf(person) });
    signInAs(person);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => accept(token)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await history("invitation_accepted")).toHaveLength(1);
  });

  it("once used it is over", async () => {
    const { token } = await invite();
    await asNew(token);
    expect(await readOffer(token)).toEqual({ state: "used" });
    const refused = await problem(asNew(token));
    expect(refused.code).toBe("invitation_over");
    expect(refused.init.extra).toEqual({ state: "used" });
  });

  it("after 72 hours it is over, and stays in the list as expired", async () => {
    const { token, invitation } = await invite();
    const hours = async (count: number) => {
      const expires_at = Date.parse(invitation.expiresAt) - count * 3_600_000;
      await update("invitations", { expires_at }, { partner_id: partner.id });
    };
    await hours(71.9);
    expect(await readOffer(token)).toMatchObject({ state: "open" });
    await hours(72.1);
    expect(await readOffer(token)).toEqual({ state: "expired" });
    expect((await problem(asNew(token))).init.extra).toEqual({ state: "expired" });
    signInAs(admin);
    expect((await readTeam(partner.id)).invitations).toMatchObject([{ email, expired: true }]);
  });

  it("once revoked it is over and cannot be revoked again; another partner's admin cannot revoke it (threat: ids of others)", async () => {
    const { token, invitation } = await invite();
    const other = await world.partner();
    signInAs(await other.person("admin"));
    const theirs = revokeInvitation(other.id, invitation.id, context);
    expect(await codeOf(theirs)).toBe("not_found");
    signInAs(admin);
    await revokeInvitation(partner.id, invitation.id, context);
    const again = problem(revokeInvitation(partner.id, invitation.id, context));
    expect((await again).code).toBe("not_found");
    expect((await readTeam(partner.id)).invitations).toEqual([]);
    signInAs(null);
    expect(await readOffer(token)).toEqual({ state: "revoked" });
    expect((await problem(asNew(token))).init.extra).toEqual({ state: "revoked" });
    expect(await history("invitation_revoked")).toMatchObject([{ detail: { replaced: false } }]);
  });

  it("does not work while the partner is suspended", async () => {
    const { token } = await invite();
    await update("partners", { suspended_at: 1 }, { id: partner.id });
    expect((await problem(readOffer(token))).code).toBe("not_found");
    expect((await problem(asNew(token))).code).toBe("not_found");
  });

  it("a made-up or cut one is unknown, in any form", async () => {
    const { token } = await invite();
    for (const made of ["", "x", token.slice(0, 42), `${token.slice(0, 42)}-`, "%00", "' or 1=1"])
      expect((await problem(readOffer(made))).code).toBe("not_found");
  });
});

describe("a partner's first admin", () => {
  beforeEach(async () => {
    await nextPartner();
    signInAs(await world.staff("operator"));
  });

  /** Gives the token of the link. */
  async function inviteFirst() {
    await inviteFirstAdmin(partner.id, { email }, context);
    return invitationToken(email);
  }

  it("joins by a link that the history records", async () => {
    const token = await inviteFirst();
    signInAs(null);
    await asNew(token);
    expect(await members()).toMatchObject([{ role: "admin" }]);
    expect(await history("member_invited")).toMatchObject([{ actor_name: "The operator" }]);
  });

  it("cannot be invited where nobody can join, or where there is one (threat: an operator who would see a partner's secrets)", async () => {
    await update("partners", { suspended_at: 1 }, { id: partner.id });
    expect(await codeOf(inviteFirst())).toBe("changed_meanwhile");
    await partner.person("admin");
    expect(await codeOf(inviteFirst())).toBe("invalid_fields");
    const open = db().selectFrom("invitations").select("id").where("partner_id", "=", partner.id);
    expect(await open.execute()).toEqual([]);
  });

  it("can be invited where the last admin cannot sign in any more", async () => {
    await update("users", { disabled_at: 1 }, { id: await partner.person("admin") });
    expect(await codeOf(inviteFirst(), "invited")).toBe("invited");
  });

  it.each([
    ["the operator lost access", (id: string) => update("users", { disabled_at: 1 }, { id })],
    [
      "the operator is of support now",
      (id: string) => update("users", { staff_role: "support" }, { id }),
    ],
    ["the partner has an admin", () => partner.person("admin")],
  ])(
    "has a link that ends where %s (threat: a link that outlives the right to make it)",
    async (_what, happens) => {
      const maker = await world.staff("operator");
      signInAs(maker);
      const token = await inviteFirst();
      signInAs(null);
      expect((await readOffer(token)).state).toBe("open");
      await happens(maker);
      expect((await readOffer(token)).state).toBe("revoked");
      expect(await codeOf(asNew(token))).toBe("invitation_over");
    },
  );
});
