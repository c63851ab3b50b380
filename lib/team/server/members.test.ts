import { givePasskey } from "@/lib/account/testing/account-world";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { insertMember } from "@/lib/webhooks/testing/rows";
import { invitationToken } from "@/lib/team/testing/invitation-token";
import { requirePartner } from "@/lib/platform/access/require";
import { findSession, startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import type { TestPartner } from "@/lib/webhooks/testing/world";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  changeRole,
  inviteMember,
  leavePartner,
  readTeam,
  removeMember,
} from "@/lib/team/testing/with-access";
import { readOffer } from "@/lib/team/server/invitations/accept";
import { as, history, inWorld, partner, world } from "@/lib/webhooks/testing/in-world";

let admin: string;

inWorld({ as: null });
beforeEach(async () => {
  admin = await partner.person("admin");
  signInAs(admin);
});

const context = { requestId: "test-request", clientAddress: "192.0.2.1" };
const setRole = (member: string, role: "viewer" | "editor" | "admin") =>
  changeRole(partner.id, member, role, context);
const remove = (member: string) => removeMember(partner.id, member, context);

async function roles(): Promise<Record<string, string>> {
  const rows = db().selectFrom("memberships").selectAll().where("partner_id", "=", partner.id);
  return Object.fromEntries((await rows.execute()).map(({ user_id, role }) => [user_id, role]));
}

async function sessionOf(userId: string): Promise<() => Promise<boolean>> {
  const id = await startSession(db(), userId, { clientAddress: null, userAgent: null });
  return async () => (await findSession(db(), id)) !== null;
}

const joinAlso = (other: TestPartner, userId: string) =>
  insertMember(db(), other.id, userId, "admin");

const invite = (name: string) => {
  const invited = { email: `${name}@new.example`, role: "admin" } as const;
  return inviteMember(partner.id, invited, { ...context, locale: "en" });
};

it("lists everybody with their role, and marks the viewer", async () => {
  const viewer = await partner.person("viewer");
  const { members, invitations } = await readTeam(partner.id);
  expect(members).toMatchObject([
    { id: admin, role: "admin", you: true },
    { id: viewer, role: "viewer", you: false },
  ]);
  expect(invitations).toEqual([]);
});

describe("a membership that the sign-in provider decides", () => {
  beforeEach(() => {
    const { oidc } = env();
    const partners = { name: "groups", before: "pix-", between: "-", after: "" };
    const settings = { name: "Example ID", partners };
    Object.assign(env(), { oidc: settings });
    onTestFinished(() => void Object.assign(env(), { oidc }));
  });

  it("is shown as such, and nobody here changes or ends it", async () => {
    const editor = await partner.person("editor");
    const member = { partner_id: partner.id, user_id: editor };
    await update("memberships", { managed: 1 }, member);
    const { members } = await readTeam(partner.id);
    expect(members.find(({ id }) => id === editor)).toMatchObject({ managedBy: "Example ID" });
    expect(members.find(({ id }) => id === admin)).toMatchObject({ managedBy: null });
    expect(await codeOf(setRole(editor, "admin"))).toBe("managed_by_provider");
    expect(await codeOf(remove(editor))).toBe("managed_by_provider");
    signInAs(editor, "", "single_sign_on");
    expect(await codeOf(leavePartner(partner.id, context))).toBe("managed_by_provider");
    expect(await roles()).toMatchObject({ [editor]: "editor" });
  });
});

describe("changing a role", () => {
  it("applies at the next request, ends no session, and is recorded (threat: an admin who signs a shared person out of other partners)", async () => {
    const editor = await partner.person("editor");
    const isSignedIn = await sessionOf(editor);
    await setRole(editor, "viewer");
    expect(await isSignedIn()).toBe(true);
    signInAs(editor);
    expect(await codeOf(requirePartner(partner.id, "webhooks.write"))).toBe("forbidden");
    expect(await history("member_role_changed")).toMatchObject([
      {
        actor_id: admin,
        actor_name: "The admin",
        client_address: "192.0.2.1",
        environment: null,
        detail: {
          userId: editor,
          name: "The editor",
          email: `${editor}@test.example`,
          before: "editor",
          after: "viewer",
        },
      },
    ]);
  });

  it("to the current one changes nothing", async () => {
    const editor = await partner.person("editor");
    await setRole(editor, "editor");
    expect(await history("member_role_changed")).toEqual([]);
  });

  it("does not touch the person's roles elsewhere", async () => {
    const other = await world.partner();
    const person = await partner.person("admin");
    await joinAlso(other, person);
    await setRole(person, "viewer");
    signInAs(person);
    expect((await requirePartner(other.id, "team.write")).role).toBe("admin");
  });
});

it("an admin changes the team after confirming who they are, with their passkey where they have one (threats: an editor at an admin's open session; a stolen password admits an accomplice, who approves)", async () => {
  const editor = await partner.person("editor");
  const before = await roles();
  const actions = [() => setRole(editor, "viewer"), () => invite("ines"), () => remove(editor)];
  const expectRefused = async () => {
    for (const act of actions) expect(await codeOf(act())).toBe("reauthentication_required");
    expect(await roles()).toEqual(before);
  };
  await update("users", { password_hash: "x" }, { id: admin });
  signInAs(admin, "not-stepped-up");
  await expectRefused();
  const confirm = await givePasskey(admin);
  await expectRefused();
  await confirm();
  for (const act of actions) expect(await codeOf(act())).toBe("nothing");
});

describe("removing a member", () => {
  it("ends their access and, where they belong to nothing else, their sessions", async () => {
    const editor = await partner.person("editor");
    const isSignedIn = await sessionOf(editor);
    await remove(editor);
    expect(await isSignedIn()).toBe(false);
    signInAs(editor);
    expect(await codeOf(requirePartner(partner.id, "webhooks.read"))).toBe("not_found");
    expect(await history("member_removed")).toMatchObject([
      { actor_id: admin, detail: { userId: editor, role: "editor" } },
    ]);
  });

  it("leaves the sessions of a person who belongs to another partner", async () => {
    const editor = await partner.person("editor");
    await joinAlso(await world.partner(), editor);
    const isSignedIn = await sessionOf(editor);
    await remove(editor);
    expect(await isSignedIn()).toBe(true);
  });

  it("is refused for a person who is no member here (threat: ids of others in the path)", async () => {
    const theirs = await (await world.partner()).person("editor");
    for (const id of ["nobody", "../other", theirs]) {
      expect(await codeOf(remove(id))).toBe("not_found");
      expect(await codeOf(setRole(id, "viewer"))).toBe("not_found");
    }
    expect(await rowOf("memberships", { user_id: theirs })).toMatchObject({ role: "editor" });
  });
});

it.each([
  ["is removed", remove],
  ["is lowered", (id: string) => setRole(id, "viewer")],
  ["leaves", (id: string) => as(id, () => leavePartner(partner.id, context))],
])(
  "an admin who %s leaves no way back in, and others' invitations stay open (threat: an admin who comes back by a link of their own)",
  async (how, act) => {
    const leaving = await partner.person("admin");
    await invite("kept");
    signInAs(leaving);
    await invite("planted");
    const token = await invitationToken("planted@new.example");
    signInAs(admin);
    await act(leaving);
    signInAs(admin);
    expect(await readOffer(token)).toEqual({ state: "revoked" });
    const { invitations } = await readTeam(partner.id);
    expect(invitations.map(({ email }) => email)).toEqual(["kept@new.example"]);
    expect(await history("invitation_revoked")).toMatchObject([
      {
        actor_id: how === "leaves" ? leaving : admin,
        detail: { email: "planted@new.example", replaced: false },
      },
    ]);
  },
);

it("says of the open invitation of an admin who cannot sign in any more that it no longer works", async () => {
  const leaving = await partner.person("admin");
  signInAs(leaving);
  await invite("left");
  signInAs(admin);
  expect((await readTeam(partner.id)).invitations).toMatchObject([{ inviterLeft: false }]);
  await update("users", { disabled_at: 1 }, { id: leaving });
  expect((await readTeam(partner.id)).invitations).toMatchObject([
    { expired: false, inviterLeft: true },
  ]);
});

describe("leaving", () => {
  const leave = () => leavePartner(partner.id, context);

  it.each(["viewer", "editor", "admin"] as const)(
    "ends the access of a %s to this partner at once, and nothing else",
    async (role) => {
      const person = await partner.person(role);
      const other = await world.partner();
      await joinAlso(other, person);
      const isSignedIn = await sessionOf(person);
      signInAs(person);
      await leave();
      expect(await isSignedIn()).toBe(true);
      expect(await codeOf(requirePartner(partner.id, "webhooks.read"))).toBe("not_found");
      expect((await requirePartner(other.id, "team.write")).role).toBe("admin");
      expect(await history("member_left")).toMatchObject([
        { actor_id: person, detail: { userId: person, role } },
      ]);
      expect(await codeOf(leave())).toBe("not_found");
    },
  );

  it("is recorded as leaving also where an admin does it on the team's page", async () => {
    const second = await partner.person("admin");
    signInAs(second);
    await remove(second);
    expect(await history("member_left")).toHaveLength(1);
    expect(await history("member_removed")).toEqual([]);
  });

  it("takes a step-up (threat: a stolen session that throws its person out)", async () => {
    const editor = await partner.person("editor");
    await update("users", { password_hash: "x" }, { id: editor });
    signInAs(editor, "not-stepped-up");
    expect(await codeOf(leave())).toBe("reauthentication_required");
    expect((await roles())[editor]).toBe("editor");
  });
});

describe("a partner always has an admin", () => {
  it("the only one cannot be demoted or removed, and not leave", async () => {
    await partner.person("editor");
    expect(await codeOf(leavePartner(partner.id, context))).toBe("last_admin");
    expect(await codeOf(setRole(admin, "editor"))).toBe("last_admin");
    expect(await codeOf(remove(admin))).toBe("last_admin");
    expect((await roles())[admin]).toBe("admin");
  });

  it("an admin who cannot sign in does not count", async () => {
    const disabled = await partner.person("admin");
    await update("users", { disabled_at: 1 }, { id: disabled });
    expect(await codeOf(setRole(admin, "viewer"))).toBe("last_admin");
  });

  it.each([
    ["demote each other", (id: string) => setRole(id, "viewer")],
    ["remove each other", remove],
  ])("of two who %s at the same time one stays", async (_name, act) => {
    for (let round = 0; round < 5; round++) {
      const pair = [await partner.person("admin"), await partner.person("admin")] as const;
      if (round === 0) {
        signInAs(pair[0]);
        await remove(admin);
      }
      // Each call runs as another person; the session is read when the call begins.
      const outcomes = await Promise.all(
        pair.map((actor, index) => {
          signInAs(actor);
          return codeOf(act(pair[1 - index] ?? ""));
        }),
      );
      const [refusal, done] = outcomes.toSorted();
      expect(done).toBe("nothing");
      // Once the first call is done, the second person no longer belongs to the partner.
      expect(["forbidden", "not_found"]).toContain(refusal);
      expect(Object.values(await roles()).filter((role) => role === "admin")).toHaveLength(
        1 + round,
      );
    }
  });

  it("of two who step down at the same time one stays", async () => {
    const second = await partner.person("admin");
    const outcomes = await Promise.all(
      [admin, second].map((person) => {
        signInAs(person);
        return codeOf(setRole(person, "editor"));
      }),
    );
    expect(outcomes.toSorted()).toEqual(["last_admin", "nothing"]);
    expect(Object.values(await roles()).toSorted()).toEqual(["admin", "editor"]);
  });
});
