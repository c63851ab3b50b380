import { givePasskey } from "@/lib/account/testing/account-world";
import { update } from "@/lib/platform/database/testing/rows";
import { db } from "@/lib/platform/database/open";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { beforeEach, describe, expect, it } from "vitest";
import { acceptInvitation } from "@/lib/team/server/invitations/accept";
import { invitationToken } from "@/lib/team/testing/invitation-token";
import {
  changeRole,
  inviteMember,
  readTeam,
  removeMember,
  switchFourEyes,
} from "@/lib/team/testing/with-access";
import { liftFourEyes } from "./switch-four-eyes";
import { as, history, inWorld, partner, world } from "@/lib/webhooks/testing/in-world";

let admin: string;

inWorld({ environment: "production", as: null });
beforeEach(async () => {
  admin = await partner.person("admin");
});

const context = { requestId: "test-request", clientAddress: null };

const set = (person: string, on: boolean, asked?: boolean) =>
  as(person, () => switchFourEyes(partner.id, on, context, asked));

const fourEyes = async () => (await as(admin, () => readTeam(partner.id))).fourEyes;

/** Whether it is on, and who asked to switch it off. */
async function state() {
  const { on, offAsked } = await fourEyes();
  return [on !== null, offAsked?.by.split(" (")[0] ?? null];
}

/** A person with an account who does not belong to the partner. */
const outsider = async () => (await world.partner()).person("viewer");

async function join(inviter: string, person: string): Promise<void> {
  const invite = { email: `${person}@test.example`, role: "admin" } as const;
  await as(inviter, () => inviteMember(partner.id, invite, { ...context, locale: "en" }));
  const token = await invitationToken(invite.email);
  await as(person, () => acceptInvitation({ token }, context));
}

const outcomes = async () => (await history("four_eyes_changed")).map(({ outcome }) => outcome);

it("switching on takes two admins: one alone could never switch it off again (threat: locking oneself out)", async () => {
  await partner.person("editor");
  expect(await codeOf(set(admin, true))).toBe("too_few_approvers");
  expect(await state()).toEqual([false, null]);
  await partner.person("admin");
  await set(admin, true);
  expect(await state()).toEqual([true, null]);
  expect(await outcomes()).toEqual(["on"]);
});

/** Switched on by two admins, one of whom has left since. */
async function onWhenSecondLeaves(): Promise<void> {
  const second = await partner.person("admin");
  await set(admin, true);
  await as(admin, () => removeMember(partner.id, second, context));
}

describe("switching off", () => {
  it("names the author so that they cannot be mistaken for another admin (threat: a look-alike)", async () => {
    const second = await partner.person("admin");
    await set(admin, true);
    for (const id of [admin, second]) await update("users", { name: "Ana" }, { id });
    await set(second, false);
    expect((await fourEyes()).offAsked?.by).toBe(`Ana (${second}@test.example)`);
  });

  it("is possible again once an editor from before it was switched on becomes an admin", async () => {
    const editor = await partner.person("editor");
    await onWhenSecondLeaves();
    expect((await fourEyes()).secondAdmins).toEqual([]);
    await as(admin, () => changeRole(partner.id, editor, "admin", context));
    expect((await fourEyes()).secondAdmins).toEqual(["The editor"]);
    await set(admin, false);
    await set(editor, false);
    expect((await state())[0]).toBe(false);
  });

  it("takes a second admin, who agrees, or declines by requesting that it stay on (threat: one bad admin)", async () => {
    const [second, colleague] = [await partner.person("admin"), await partner.person("viewer")];
    await set(admin, true);
    // Somebody whom both have admitted makes them no less two.
    for (const by of [admin, second])
      for (const role of ["editor", "viewer"] as const)
        await as(by, () => changeRole(partner.id, colleague, role, context));
    await set(admin, false);
    await set(admin, false);
    expect(await state()).toEqual([true, "The admin"]);
    await set(second, true);
    await set(second, false);
    expect(await state()).toEqual([true, "The admin"]);
    await set(admin, false);
    expect(await state()).toEqual([false, null]);
    expect(await outcomes()).toEqual(["on", "off_asked", "kept", "off_asked", "off"]);
  });

  it("is refused from a page that does not show what waits now (threat: agreeing unawares, or taking an agreement back)", async () => {
    const [second, third] = [await partner.person("admin"), await partner.person("admin")];
    await set(admin, true, false);
    expect(await codeOf(set(second, false, true))).toBe("changed_meanwhile");
    await set(admin, false, false);
    expect(await codeOf(set(second, false, false))).toBe("changed_meanwhile");
    expect(await codeOf(set(second, true, false))).toBe("changed_meanwhile");
    expect(await state()).toEqual([true, "The admin"]);
    await set(second, false, true);
    expect(await codeOf(set(third, true, true))).toBe("changed_meanwhile");
    expect(await codeOf(set(third, false, false))).toBe("changed_meanwhile");
    expect(await outcomes()).toEqual(["on", "off_asked", "off"]);
  });

  it("is not agreed to once its author may not request it (threat: a request in place of an agreement)", async () => {
    const [second, third] = [await partner.person("admin"), await partner.person("admin")];
    await set(admin, true);
    await set(second, false);
    expect((await fourEyes()).offAsked?.mayAgree).toBe(true);
    await as(admin, () => changeRole(partner.id, second, "editor", context));
    expect((await fourEyes()).offAsked?.mayAgree).toBe(false);
    expect(await codeOf(set(third, false, true))).toBe("author_may_not");
    expect(await outcomes()).toEqual(["on", "off_asked"]);
  });

  it("is refused where there is no second admin, or only one whom the first admitted (threat: a second account as an admin)", async () => {
    const viewer = await partner.person("viewer");
    await onWhenSecondLeaves();
    expect(await codeOf(set(admin, false))).toBe("second_admin_missing");
    await as(admin, () => changeRole(partner.id, viewer, "admin", context));
    expect(await codeOf(set(admin, false))).toBe("second_admin_missing");
    expect(await codeOf(set(viewer, false))).toBe("second_admin_missing");
    expect(await state()).toEqual([true, null]);
  });

  it("does not count an admin whom the first admitted, even after people left and came back (threat: forgotten access grants)", async () => {
    const other = await partner.person("admin");
    await set(admin, true);
    const [between, puppet] = [await outsider(), await outsider()];
    await join(admin, between);
    await join(between, puppet);
    await as(admin, () => removeMember(partner.id, between, context));
    await as(other, () => removeMember(partner.id, admin, context));
    await join(other, admin);
    await as(other, () => changeRole(partner.id, other, "editor", context));
    expect(await codeOf(set(puppet, false))).toBe("second_admin_missing");
    expect(await codeOf(set(admin, false))).toBe("second_admin_missing");
    expect((await state())[0]).toBe(true);
  });

  it("does not count a former admin's request, or an expired one (threat: an outdated request)", async () => {
    const [second, third] = [await partner.person("admin"), await partner.person("admin")];
    await set(admin, true);
    await set(second, false);
    await as(admin, () => changeRole(partner.id, second, "viewer", context));
    await set(third, false);
    expect((await state())[0]).toBe(true);
    await update("changes", { expires_at: Date.now() - 1 }, { partner_id: partner.id });
    await set(admin, false);
    expect((await state())[0]).toBe(true);
  });
});

describe("the operator of the installation", () => {
  const why = "Rui left the company; asked for by Ana";
  const lift = (id = partner.id) => liftFourEyes(db(), id, why);

  it("lifts it where the second admin has left, and the history and the Team page say why", async () => {
    await onWhenSecondLeaves();
    expect(await lift()).toEqual({ outcome: "lifted" });
    expect(await lift()).toEqual({ outcome: "not_on" });
    expect(await lift("nobody-here")).toEqual({ outcome: "no_partner" });
    expect(await fourEyes()).toMatchObject({ on: null, lifted: { reason: why } });
    expect(await outcomes()).toEqual(["on", "lifted"]);
    expect((await history("four_eyes_changed")).at(-1)).toMatchObject({
      actor_id: null,
      detail: { reason: why },
    });
  });

  it("ends an earlier request, which must not count once it is on again (threat: one admin alone)", async () => {
    const second = await partner.person("admin");
    await set(admin, true);
    await set(second, false);
    await db().deleteFrom("memberships").where("user_id", "=", admin).execute();
    expect(await lift()).toEqual({ outcome: "lifted" });
    const third = await partner.person("admin");
    await set(third, true);
    await set(third, false);
    expect((await as(third, () => readTeam(partner.id))).fourEyes).toMatchObject({
      on: {},
      offAsked: { you: true },
      lifted: null,
    });
  });

  it("does not lift it where two admins could switch it off (threat: bypassing the second one)", async () => {
    await partner.person("admin");
    await set(admin, true);
    const named = expect.stringMatching(/^The admin \(.+@test\.example\)$/);
    expect(await lift()).toEqual({ outcome: "two_admins", names: [named, named] });
    expect((await state())[0]).toBe(true);
  });
});

it("is not switched off with a session alone, or with the password of a person who has a passkey (threat: an admin's stolen session, or password)", async () => {
  await partner.person("admin");
  await set(admin, true);
  signInAs(admin, "not-stepped-up");
  const off = () => switchFourEyes(partner.id, false, context);
  expect(await codeOf(off())).toBe("fresh_sign_in_required");
  await update("users", { password_hash: "x" }, { id: admin });
  expect(await codeOf(off())).toBe("reauthentication_required");
  const confirm = await givePasskey(admin);
  expect(await codeOf(off())).toBe("reauthentication_required");
  await confirm();
  await off();
  expect(await state()).toEqual([true, "The admin"]);
});
