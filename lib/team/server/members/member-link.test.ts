import { approversOf, areTwoPeople } from "@/lib/platform/access/approvers";
import { choosePassword, readPasswordLink } from "@/lib/platform/auth/passwords/password-link";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { db } from "@/lib/platform/database/open";
import { peopleEntries } from "@/lib/history/testing/people-entries";
import * as passwordHash from "@/lib/platform/auth/passwords/password-hash";
import { env } from "@/lib/platform/env/env";
import { acceptInvitation } from "@/lib/team/server/invitations/accept";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { codeOf as codeOrNone } from "@/lib/platform/http/testing/thrown-problem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  changeRole,
  inviteMember,
  inviteFirstAdmin,
  makeMemberLink,
  readTeam,
  removeMember,
  switchFourEyes,
} from "@/lib/team/testing/with-access";

let world: World;
let partner: TestPartner;
let admin: string;
let member: string;
let begun: number;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  partner = await world.partner();
  admin = await partner.person("admin");
  member = await partner.person("editor");
  await setPassword(member);
  begun = Date.now();
  signInAs(admin);
});

const context = { requestId: "q1", clientAddress: "192.0.2.1" };
const password = "a river between two hills";

async function setPassword(id: string, password_hash: string | null = "x"): Promise<void> {
  await db().updateTable("users").set({ password_hash }).where("id", "=", id).execute();
}

const codeOf = (promise: Promise<unknown>) => codeOrNone(promise, "made");

it("lets a member who forgot their password choose another, where there is no mail", async () => {
  const { members } = await readTeam(partner.id);
  expect(members.find(({ id }) => id === member)).toMatchObject({ link: true, unproven: false });
  const { link } = await makeMemberLink(partner.id, member, context);
  const token = new URL(link).hash.slice(1);
  expect(await readPasswordLink(token)).toMatchObject({ proves: null, by: "The admin" });
  const { email } = await choosePassword({ token, password }, context);
  const result = await signIn(db(), { ...context, userAgent: null, email, password }, false);
  expect(result).toMatchObject({ outcome: "signed_in", userId: member });
});

it("no link for somebody else is made before its maker proved their identity again (threat: a stolen session)", async () => {
  const operator = await world.staff("operator");
  const locale = { ...context, locale: "en" } as const;
  const invited = { email: "thief@new.example", role: "admin" } as const;
  await setPassword(admin);
  await setPassword(operator);
  const empty = await world.partner();
  const made = async (stepsUp: "stepped-up" | "not-stepped-up") => {
    const session = stepsUp === "stepped-up" ? "" : stepsUp;
    signInAs(admin, session);
    const byAdmin = [
      await codeOf(makeMemberLink(partner.id, member, context)),
      await codeOf(inviteMember(partner.id, invited, locale)),
    ];
    signInAs(operator, session);
    return [...byAdmin, await codeOf(inviteFirstAdmin(empty.id, invited, locale))];
  };
  const wanted = "reauthentication_required";
  expect(await made("not-stepped-up")).toEqual([wanted, wanted, wanted]);
  const tables = ["password_links", "invitations"] as const;
  for (const table of tables)
    expect(
      await db().selectFrom(table).selectAll().where("created_at", ">=", begun).execute(),
    ).toEqual([]);
  expect(await made("stepped-up")).toEqual(["made", "made", "made"]);
});

it("is in the partner's history and in the member's own, under the admin's name", async () => {
  await makeMemberLink(partner.id, member, context);
  const entry = await db()
    .selectFrom("history")
    .select(["kind", "actor_id"])
    .where("partner_id", "=", partner.id)
    .orderBy("seq", "desc")
    .executeTakeFirst();
  expect(entry).toEqual({ kind: "member_link_made", actor_id: admin });
  expect((await peopleEntries(db())).at(-1)).toMatchObject({
    kind: "password_link_made",
    who: admin,
    outcome: "handed",
    detail: { userId: member },
  });
});

it("makes the two of them one person (threat: an admin who approves as the person whose password they chose)", async () => {
  const count = async () => {
    const [one, other] = await approversOf(db(), partner.id);
    return one && other && areTwoPeople(one, other);
  };
  expect(await count()).toBe(true);
  await makeMemberLink(partner.id, member, context);
  expect(await count()).toBe(false);
});

it("is not for a member of another partner, too (threat: an admin of one partner as an admin of another)", async () => {
  const other = await world.partner();
  await db()
    .insertInto("memberships")
    .values({ partner_id: other.id, user_id: member, role: "admin", created_at: 1 })
    .execute();
  expect(await codeOf(makeMemberLink(partner.id, member, context))).toBe("changed_meanwhile");
});

describe("between its making and its use", () => {
  const open = async () => {
    const { link } = await makeMemberLink(partner.id, member, context);
    return new URL(link).hash.slice(1);
  };
  const choose = (token: string) => codeOf(choosePassword({ token, password }, context));
  const becomes = (role: "admin" | "editor" | "viewer", userId: string, at: string) =>
    db()
      .insertInto("memberships")
      .values({ partner_id: at, user_id: userId, role, created_at: 1 })
      .execute();
  const expectOver = async (token: string) => {
    expect((await readPasswordLink(token)).state).toBe("used");
    expect(await choose(token)).toBe("invitation_over");
    const { password_hash } = await db()
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", member)
      .executeTakeFirstOrThrow();
    expect(password_hash).toBe("x");
  };

  it("its person joined another partner by an invitation: it is over (threat: an admin of one partner as an admin of another)", async () => {
    const token = await open();
    const other = await world.partner();
    signInAs(await other.person("admin"));
    const { email } = await db()
      .selectFrom("users")
      .select("email")
      .where("id", "=", member)
      .executeTakeFirstOrThrow();
    const invited = { email, role: "admin", locale: "en" } as const;
    const { link } = await inviteMember(other.id, invited, { ...context, locale: "en" });
    signInAs(member);
    await acceptInvitation({ token: new URL(link ?? "").hash.slice(1) }, context);
    await expectOver(token);
  });

  it("it is over where that is decided only while the password is hashed (threat: the moment between)", async () => {
    const token = await open();
    const other = await world.partner();
    const hashing = vi.spyOn(passwordHash, "hashPassword").mockImplementationOnce(async () => {
      await becomes("admin", member, other.id);
      return "mine";
    });
    expect(await choose(token)).toBe("invitation_over");
    expect(hashing).toHaveBeenCalledOnce();
  });

  it("four-eyes approval was switched on: it is over (threat: an admin who approves as another from before)", async () => {
    await db()
      .updateTable("memberships")
      .set({ role: "admin" })
      .where("user_id", "=", member)
      .execute();
    const token = await open();
    await switchFourEyes(partner.id, true, context);
    await expectOver(token);
    const [one, another] = await approversOf(db(), partner.id);
    expect(one && another && areTwoPeople(one, another)).toBe(true);
    // Another one links the two of them again.
    const { link } = await makeMemberLink(partner.id, member, context);
    expect(await choose(new URL(link).hash.slice(1))).toBe("made");
    const [first, second] = await approversOf(db(), partner.id);
    expect(first && second && areTwoPeople(first, second)).toBe(false);
  });

  it.each([
    ["its person became staff", () => ({ id: member, set: { staff_role: "support" } as const })],
    ["its maker lost access", () => ({ id: admin, set: { disabled_at: 1 } })],
  ])("%s: it is over", async (_what, change) => {
    const token = await open();
    const { id, set } = change();
    await db().updateTable("users").set(set).where("id", "=", id).execute();
    await expectOver(token);
  });

  it.each(["lowered", "removed"] as const)(
    "its maker was %s: it is over, as their invitations are (threat: a way back in)",
    async (how) => {
      const token = await open();
      signInAs(await partner.person("admin"));
      if (how === "lowered") await changeRole(partner.id, admin, "editor", context);
      else await removeMember(partner.id, admin, context);
      await expectOver(token);
    },
  );

  it("the partner was suspended: it is over", async () => {
    const token = await open();
    const rows = db().updateTable("partners").set({ suspended_at: 1 });
    await rows.where("id", "=", partner.id).execute();
    await expectOver(token);
  });

  it("mail was set up: it is over, and people request one themselves", async () => {
    const token = await open();
    vi.spyOn(env(), "mail", "get").mockReturnValue({} as ReturnType<typeof env>["mail"]);
    await expectOver(token);
  });
});

it("is not for oneself, for people without a password, and for strangers", async () => {
  await setPassword(admin);
  expect(await codeOf(makeMemberLink(partner.id, admin, context))).toBe("changed_meanwhile");
  await setPassword(member, null);
  expect(await codeOf(makeMemberLink(partner.id, member, context))).toBe("changed_meanwhile");
  const stranger = await (await world.partner()).person("viewer");
  expect(await codeOf(makeMemberLink(partner.id, stranger, context))).toBe("not_found");
});

it.each(["viewer", "editor"] as const)("is not made by a %s", async (role) => {
  signInAs(await partner.person(role));
  expect(await codeOf(makeMemberLink(partner.id, member, context))).toBe("forbidden");
});
