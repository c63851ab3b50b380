import { inTransaction, update } from "@/lib/platform/database/testing/rows";
import { requireStaff, requireStaffFor } from "@/lib/platform/access/require";
import { changePartner, createPartner } from "@/lib/partners/server/change-partner";
import { createStaff as createStaffWith } from "@/lib/staff/server/staff";
import { openSupportView } from "@/lib/support/server/support-view";
import { readOffer } from "@/lib/team/server/invitations/accept";
import { inviteFirstAdmin as inviteFirstAdminWith } from "@/lib/team/server/invitations/invite";
import { invitationToken } from "@/lib/team/testing/invitation-token";
import { inviteFirstAdmin } from "@/lib/team/testing/with-access";
import { ProblemError } from "@/lib/platform/http/model/problem";
import * as passwordHash from "@/lib/platform/auth/passwords/password-hash";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import {
  choosePassword,
  issuePasswordLink,
  makeLinkAtTerminal,
  readPasswordLink,
} from "@/lib/platform/auth/passwords/password-link";
import { findSession, startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { peopleEntries } from "@/lib/history/testing/people-entries";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { as, history, inWorld, partner, world } from "@/lib/webhooks/testing/in-world";
import { randomBytes } from "node:crypto";
import { codeOf as codeOrNone } from "@/lib/platform/http/testing/thrown-problem";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { changeStaff, createStaff, listStaff } from "@/lib/staff/testing/with-access";

let operator: string;

inWorld({ as: null });
beforeAll(async () => {
  operator = await world.staff("operator");
});
beforeEach(() => signInAs(operator));

const origin = { requestId: "q1", clientAddress: "192.0.2.9" };
const password = "a river between two hills";
const someone = { requestId: null, clientAddress: null, userAgent: null };

function add(role: "support" | "operator" = "support") {
  const email = `p${randomBytes(5).toString("hex")}@staff.example`;
  return createStaff({ name: "Paula Azevedo", email, role }, origin);
}

/** Adds a person, with the token of their link as the operator gets it at the terminal. */
async function addWithLink() {
  const { person } = await add();
  return { person, token: await tokenFor(person.email) };
}

async function tokenFor(email: string): Promise<string> {
  const made = await makeLinkAtTerminal(db(), email);
  return tokenOf("link" in made ? made.link : made.outcome);
}

const tokenOf = (link: string) => new URL(link).hash.slice(1);

const codeOf = (promise: Promise<unknown>) => codeOrNone(promise, "no problem");

describe("adding staff", () => {
  it("gives the link only to the mailbox and the terminal, and the person chooses a password that nobody else ever knew", async () => {
    const { person, mail } = await add();
    expect(mail).toBe("terminal");
    expect(person).toMatchObject({ role: "support", waiting: true, disabled: false });
    const token = await tokenFor(person.email);
    expect(await readPasswordLink(token)).toMatchObject({
      state: "open",
      name: "Paula Azevedo",
      email: person.email,
    });
    const rows = await db().selectFrom("password_links").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    await choosePassword({ token, password }, origin);
    const signedIn = await signIn(db(), { email: person.email, password, ...someone }, false);
    expect(signedIn).toMatchObject({ outcome: "signed_in", userId: person.id });
    expect((await listStaff()).find(({ id }) => id === person.id)?.waiting).toBe(false);
  });

  it("refuses an address that an account has", async () => {
    const { person } = await add();
    const again = createStaff({ ...person, role: "operator" }, origin);
    expect(await codeOf(again)).toBe("invalid_fields");
  });
});

describe("a link to choose a password", () => {
  it.each([
    ["was disabled", { disabled_at: 1 }],
    ["is no operator any more", { staff_role: "support" as const }],
  ])(
    "ends where the operator who created it %s (threat: a last act of an operator who is being removed)",
    async (_what, change) => {
      const { person } = await add();
      const maker = await world.staff("operator");
      const token = tokenOf(
        await inTransaction((trx) =>
          issuePasswordLink(trx, person.id, "made", { madeById: maker }),
        ),
      );
      expect((await readPasswordLink(token)).state).toBe("open");
      await update("users", change, { id: maker });
      expect((await readPasswordLink(token)).state).toBe("used");
      const choosing = choosePassword({ token, password }, origin);
      expect(await codeOf(choosing)).toBe("invitation_over");
    },
  );

  it("stays dead when its maker gets their access back, as does their invitation (threat: a way in that nobody remembers)", async () => {
    const { person } = await add();
    const maker = await world.staff("operator");
    const link = await inTransaction((trx) =>
      issuePasswordLink(trx, person.id, "made", { madeById: maker }),
    );
    await as(maker, () =>
      inviteFirstAdmin(partner.id, { email: "boss@new.example" }, { ...origin, locale: "en" }),
    );
    const invitation = await invitationToken("boss@new.example");
    expect(await readOffer(invitation)).toMatchObject({ state: "open" });
    signInAs(operator);
    await changeStaff(maker, { disabled: true }, origin);
    await changeStaff(maker, { disabled: false }, origin);
    signInAs(null);
    expect(await readOffer(invitation)).toEqual({ state: "revoked" });
    expect((await readPasswordLink(tokenOf(link))).state).toBe("used");
    expect(await history("invitation_revoked")).toMatchObject([
      { actor_id: operator, detail: { email: "boss@new.example", replaced: false } },
    ]);
  });

  it("works once, also for two concurrent attempts", async () => {
    const { token } = await addWithLink();
    const tries = await Promise.all(
      [password, `${password} two`].map((choice) =>
        codeOf(choosePassword({ token, password: choice }, origin)),
      ),
    );
    expect(tries.sort()).toEqual(["invitation_over", "no problem"]);
    expect((await readPasswordLink(token)).state).toBe("used");
  });

  it("has a password hashed twenty times an hour at most (threat: a client that delays everybody else's passwords)", async () => {
    const { token } = await addWithLink();
    const hashing = vi
      .spyOn(passwordHash, "hashPassword")
      .mockRejectedValue(new ProblemError("internal_error"));
    const tries = Array.from({ length: 25 }, () =>
      codeOf(choosePassword({ token, password }, origin)),
    );
    const codes = await Promise.all(tries);
    expect(hashing).toHaveBeenCalledTimes(20);
    expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(5);
    hashing.mockRestore();
  });

  it("stops working when a newer one is made, and after three days", async () => {
    const { person, token } = await addWithLink();
    const renewed = await tokenFor(person.email);
    expect((await readPasswordLink(token)).state).toBe("used");
    await update("password_links", { expires_at: Date.now() - 1 }, { user_id: person.id });
    const choice = choosePassword({ token: renewed, password }, origin);
    expect(await codeOf(choice)).toBe("invitation_over");
    expect((await readPasswordLink(renewed)).state).toBe("expired");
  });

  it("refuses a weak password and stays open", async () => {
    const { token } = await addWithLink();
    const weak = choosePassword({ token, password: "short" }, origin);
    expect(await codeOf(weak)).toBe("invalid_fields");
    expect((await readPasswordLink(token)).state).toBe("open");
  });

  it("ends the person's sessions: a person with the old password is out", async () => {
    const { person, token } = await addWithLink();
    const session = await startSession(db(), person.id, someone);
    await choosePassword({ token, password }, origin);
    expect(await findSession(db(), session)).toBeNull();
  });

  it("with an unknown token is refused", async () => {
    expect(await codeOf(readPasswordLink("x".repeat(43)))).toBe("not_found");
  });
});

describe("taking access away", () => {
  it("ends sessions at once, and the link too", async () => {
    const { person, token } = await addWithLink();
    const session = await startSession(db(), person.id, someone);
    expect((await changeStaff(person.id, { disabled: true }, origin)).disabled).toBe(true);
    expect(await findSession(db(), session)).toBeNull();
    expect(await codeOf(readPasswordLink(token))).toBe("not_found");
    expect((await changeStaff(person.id, { disabled: false }, origin)).disabled).toBe(false);
  });

  it("cannot be done to oneself", async () => {
    expect(await codeOf(changeStaff(operator, { disabled: true }, origin))).toBe("forbidden");
  });

  it("leaves one of two operators who remove each other at once", async () => {
    const other = await world.staff("operator");
    const first = changeStaff(other, { disabled: true }, origin);
    signInAs(other);
    const second = changeStaff(operator, { disabled: true }, origin);
    const outcomes = await Promise.all([codeOf(first), codeOf(second)]);
    signInAs(operator);
    expect(outcomes.filter((code) => code === "no problem")).toHaveLength(1);
    await update("users", { disabled_at: null });
  });

  it("reaches staff only, not a partner's people", async () => {
    const member = await partner.person("admin");
    expect(await codeOf(changeStaff(member, { disabled: true }, origin))).toBe("not_found");
  });
});

describe("a person whose access is removed while their request runs", () => {
  /** Each makes the request's first check, and returns its act. */
  const requests = {
    "adds no staff": async () => {
      const access = await requireStaff("staff.manage");
      const person = { name: "Accomplice", email: "who@example.com", role: "operator" } as const;
      return () => createStaffWith(access, person, origin);
    },
    "adds no partner": async () => {
      const access = await requireStaff("partners.manage");
      const partner = { id: `p-${randomBytes(5).toString("hex")}`, name: "Impostor" };
      return () => createPartner(access, partner, origin);
    },
    "suspends no partner": async (id: string) => {
      const access = await requireStaffFor(id, "partners.manage");
      return () => changePartner(access, { suspended: true }, origin);
    },
    "invites no admin": async (id: string) => {
      const access = await requireStaffFor(id, "partners.manage");
      const context = { ...origin, locale: "en" } as const;
      return () => inviteFirstAdminWith(access, { email: "who@example.com" }, context);
    },
    "views no partner": async (id: string) => {
      const access = await requireStaffFor(id, "support_view.open");
      return () => openSupportView(access, { reason: "a question of theirs" }, origin);
    },
  };

  for (const [what, begin] of Object.entries(requests))
    it(`${what} (threat: a last act of somebody who is being removed)`, async () => {
      const person = await world.staff(what === "views no partner" ? "support" : "operator");
      signInAs(person);
      const act = await begin(partner.id);
      await update("users", { disabled_at: Date.now() }, { id: person });
      expect(await codeOf(act())).toBe("forbidden");
    });
});

it("is in the history: who added whom, made a link, removed and restored access, and that a password was chosen", async () => {
  const { person } = await add("operator");
  const token = await tokenFor(person.email);
  await choosePassword({ token, password }, origin);
  await changeStaff(person.id, { disabled: true }, origin);
  await changeStaff(person.id, { disabled: false }, origin);
  const { id: userId, name, email } = person;
  const by = { who: operator, from: origin.clientAddress, requestId: origin.requestId };
  const byNobody = { who: null, from: null, requestId: null };
  const detail = { userId, name, email };
  const entries = await peopleEntries(db());
  expect(entries.slice(-5)).toEqual([
    { ...by, kind: "staff_added", outcome: null, detail: { ...detail, role: "operator" } },
    { ...byNobody, kind: "password_link_made", outcome: "terminal", detail },
    { ...by, who: userId, kind: "password_changed", outcome: "by_link", detail: {} },
    { ...by, kind: "staff_access_changed", outcome: "disabled", detail },
    { ...by, kind: "staff_access_changed", outcome: "enabled", detail },
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

it("needs more than a session to change staff (threat: an operator's stolen session)", async () => {
  const { person } = await add();
  await update("users", { password_hash: "x" }, { id: operator });
  signInAs(operator, "not-stepped-up");
  const wanted = "reauthentication_required";
  expect(await codeOf(add("operator"))).toBe(wanted);
  expect(await codeOf(changeStaff(person.id, { disabled: true }, origin))).toBe(wanted);
  expect((await listStaff()).find(({ id }) => id === person.id)?.disabled).toBe(false);
});
