import type { InvitationRow } from "@/lib/platform/database/tables";
import { peopleKinds } from "@/lib/history/testing/people-entries";
import { recordHistory } from "@/lib/history/server/record/record";
import { insertWith } from "@/lib/platform/database/testing/rows";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { findSession } from "@/lib/platform/auth/sessions/sessions";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { amongPeople, db, password } from "@/lib/platform/auth/testing/database-with-people";
import { approversOf, areIndependent } from "@/lib/platform/access/approvers";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { admit, type ProviderSignIn } from "./admit";
import { makeLinkAtTerminal } from "@/lib/platform/auth/passwords/password-link";
import { unlinkAccount } from "@/lib/platform/auth/reset-at-terminal";

amongPeople();

const origin = {
  requestId: "q1",
  clientAddress: "192.0.2.7",
  userAgent: "Firefox/144.0 (X11; Linux)",
};

function arrive(
  subject: string,
  verifiedEmail: string | null,
  {
    staffRole,
    partners,
    issuer = "https://id.example",
    name = null,
  }: Partial<Pick<ProviderSignIn, "staffRole" | "partners"> & ProviderSignIn["identity"]> = {},
) {
  const identity = { issuer, subject, verifiedEmail, name };
  return admit(db, { identity, staffRole, partners, origin });
}

const someone = { id: "inviter", email: "operator@staff.example", name: "Otávio", created_at: 1 };
const inviter = { ...someone, staff_role: "operator" } as const;

/** Invites `nova@new.example`. */
async function invite(changes: Partial<InvitationRow> = {}): Promise<void> {
  const id = randomUUID();
  const partner = { id: "aurora", name: "Aurora", created_at: 1 };
  await insertWith(db, "partners", [partner]);
  await insertWith(db, "users", [inviter]);
  const invited = { partner_id: partner.id, email: "nova@new.example", role: "editor" } as const;
  const by = { invited_by_id: inviter.id, created_at: 1 };
  const link = { id, token_hash: id, expires_at: Date.now() + 60_000 };
  await insertWith(db, "invitations", [{ ...invited, ...by, ...link, ...changes }]);
}

/** The session that starts. */
async function enter(...arrival: Parameters<typeof arrive>): Promise<string> {
  const admitted = await arrive(...arrival);
  if (admitted.outcome !== "signed_in") throw new Error(admitted.reason);
  return admitted.sessionId;
}

const userOf = (email: string) =>
  db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();

const staffRoleOf = async (id: string) => (await userOf(`${id}@aurora.example`))?.staff_role;

it("starts the session of the person who has the address, with or without a password here", async () => {
  for (const person of ["ana", "sso"]) {
    const session = await enter(`at-provider-${person}`, `${person}@aurora.example`);
    expect(await findSession(db, session)).toMatchObject({ userId: person });
  }
});

describe("an account whose address changes at the provider", () => {
  const isVouched = async (email: string) => (await userOf(email))?.email_vouched;

  it("stays the person's and gets that address, with an entry, and links to the one before end (threat: a link to an address that somebody else reads by now)", async () => {
    await arrive("a-1", "ana@aurora.example");
    const { link = "" } = { link: "", ...(await makeLinkAtTerminal(db, "ana@aurora.example")) };
    expect(link).not.toBe("");
    expect(await arrive("a-1", "ana.silva@aurora.example")).toMatchObject({ userId: "ana" });
    expect(await userOf("ana.silva@aurora.example")).toMatchObject({ id: "ana" });
    const open = db.selectFrom("password_links").select("user_id").where("used_at", "is", null);
    expect(await open.execute()).toEqual([]);
    expect(await peopleKinds(db)).toEqual([
      "account_linked",
      "signed_in",
      "password_link_made: terminal",
      "email_changed",
      "signed_in",
    ]);
    await arrive("a-1", "ana.silva@aurora.example");
    expect(await peopleKinds(db)).toHaveLength(6);
  });

  it("leaves the one before to somebody else (threat: an address given to a new colleague)", async () => {
    await arrive("a-1", "ana@aurora.example");
    await arrive("a-1", "ana.silva@aurora.example");
    await invite({ email: "ana@aurora.example" });
    const colleague = await arrive("a-2", "ana@aurora.example");
    expect(colleague).toMatchObject({ outcome: "signed_in" });
    expect(colleague).not.toMatchObject({ userId: "ana" });
  });

  it("stays the person's where somebody else has that address here, and keeps one by which nothing is theirs until it is vouched for again", async () => {
    await arrive("a-1", "ana@aurora.example");
    expect(await arrive("a-1", "sso@aurora.example")).toMatchObject({ userId: "ana" });
    expect(await isVouched("ana@aurora.example")).toBe(0);
    expect(await isVouched("sso@aurora.example")).toBe(1);
    expect(await userOf("ana@aurora.example")).toMatchObject({ id: "ana" });
    await arrive("a-1", "ana@aurora.example");
    expect(await isVouched("ana@aurora.example")).toBe(1);
  });
});

it("lets no other account have the address (threat: an address given to somebody else at the provider)", async () => {
  await arrive("a-1", "ana@aurora.example");
  expect(await arrive("a-2", "ana@aurora.example")).toEqual({
    outcome: "refused",
    reason: "other_account",
    person: { id: "ana", name: "Ana" },
  });
  expect(await arrive("a-1", "ana@aurora.example")).toMatchObject({ outcome: "signed_in" });
});

it("links only one of two accounts that first sign in with the address at once", async () => {
  const ends = await Promise.all(
    Array.from({ length: 8 }, (_, n) => arrive(`a-${n % 2}`, "ana@aurora.example")),
  );
  const links = await db.selectFrom("identities").selectAll().execute();
  expect(links).toHaveLength(1);
  expect(ends.filter((end) => end.outcome === "signed_in")).toHaveLength(4);
});

it("links another account once the first is unlinked, and ends its sessions", async () => {
  const before = await enter("a-1", "ana@aurora.example");
  expect(await unlinkAccount(db, "nobody@aurora.example")).toBe("nobody");
  expect(await unlinkAccount(db, "ana@aurora.example")).toBe("reset");
  expect(await findSession(db, before)).toBeNull();
  expect(await arrive("a-2", "ana@aurora.example")).toMatchObject({ outcome: "signed_in" });
  expect(await arrive("a-1", "ana@aurora.example")).toMatchObject({ reason: "other_account" });
});

it("treats the same sub at another issuer as another account", async () => {
  await arrive("a-1", "ana@aurora.example");
  const elsewhere = { issuer: "https://other.example" };
  expect(await arrive("a-1", "sso@aurora.example", elsewhere)).toMatchObject({ userId: "sso" });
});

it.each([
  ["nobody invited", "x-1", "nobody@aurora.example", "not_invited"],
  ["a disabled person", "d-1", "dora@aurora.example", "not_invited"],
  ["an address that is not verified", "a-1", null, "not_invited"],
])("refuses %s, and makes no account and no link", async (_who, subject, email, reason) => {
  expect(await arrive(subject, email)).toMatchObject({ outcome: "refused", reason });
  expect(await db.selectFrom("users").select("id").execute()).toHaveLength(3);
  for (const table of ["identities", "sessions"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
});

it("refuses a person who was disabled later, linked or not", async () => {
  await arrive("a-1", "ana@aurora.example");
  await db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", "ana").execute();
  expect(await arrive("a-1", "ana@aurora.example")).toMatchObject({ reason: "not_invited" });
});

it("sets and removes the staff role as the claim says", async () => {
  const given = await arrive("a-1", "ana@aurora.example", { staffRole: "operator" });
  expect(given).toMatchObject({ staffRole: { before: null, after: "operator" } });
  expect(await staffRoleOf("ana")).toBe("operator");
  const same = await arrive("a-1", "ana@aurora.example", { staffRole: "operator" });
  expect(same).toMatchObject({ staffRole: null });
  await arrive("a-1", "ana@aurora.example", { staffRole: null });
  expect(await staffRoleOf("ana")).toBeNull();
});

it("makes an account for somebody unknown whom the claim names as staff, and for nobody whom it does not", async () => {
  const first = await arrive("o-1", "nova@staff.example", { staffRole: "operator", name: "Nova" });
  expect(first).toMatchObject({ staffRole: { before: null, after: "operator" } });
  const account = { name: "Nova", staff_role: "operator", password_hash: null };
  expect(await userOf("nova@staff.example")).toMatchObject(account);
  expect(await peopleKinds(db)).toEqual([
    "account_created",
    "account_linked",
    "staff_role_changed",
    "signed_in",
  ]);
  const other = await arrive("o-2", "other@staff.example", { staffRole: null });
  expect(other).toMatchObject({ reason: "not_invited" });
});

it("ends an operator's open invitations with the role, also when it comes back (threat: a way in that nobody remembers)", async () => {
  await invite();
  const role = (staffRole: ProviderSignIn["staffRole"]) =>
    arrive("o-1", someone.email, { staffRole });
  await role(null);
  await role("operator");
  expect(await arrive("n-1", "nova@new.example")).toMatchObject({ reason: "not_invited" });
});

it("ends the sessions begun under another staff role (threat: a session that outlives its role)", async () => {
  const session = (staffRole: ProviderSignIn["staffRole"]) =>
    enter("a-1", "ana@aurora.example", { staffRole });
  const before = await session("support");
  const same = await session("support");
  expect(await findSession(db, before)).not.toBeNull();
  const after = await session("operator");
  expect(await findSession(db, after)).not.toBeNull();
  expect(await findSession(db, before)).toBeNull();
  expect(await findSession(db, same)).toBeNull();
});

it("leaves the staff role alone where no claim decides", async () => {
  await db.updateTable("users").set({ staff_role: "support" }).where("id", "=", "ana").execute();
  await arrive("a-1", "ana@aurora.example");
  expect(await staffRoleOf("ana")).toBe("support");
});

describe("a member of a partner", () => {
  beforeEach(async () => {
    await invite();
    const membership = {
      partner_id: "aurora",
      user_id: "ana",
      role: "admin",
      created_at: 1,
    } as const;
    await db.insertInto("memberships").values(membership).execute();
  });

  it("is not made staff by a claim, and signs in as a member (threat: staff with access to a partner's data)", async () => {
    const admitted = await arrive("a-1", "ana@aurora.example", { staffRole: "operator" });
    if (admitted.outcome !== "signed_in") throw new Error(admitted.reason);
    expect(admitted).toMatchObject({ staffRole: null, withheld: "operator" });
    expect(await findSession(db, admitted.sessionId)).toMatchObject({ userId: "ana" });
    expect(await staffRoleOf("ana")).toBeNull();
  });

  it("loses an earlier staff role, and the sessions begun under it", async () => {
    const before = await enter("a-1", "ana@aurora.example");
    await db.updateTable("users").set({ staff_role: "support" }).where("id", "=", "ana").execute();
    expect(await arrive("a-1", "ana@aurora.example", { staffRole: "support" })).toMatchObject({
      staffRole: { before: "support", after: null },
      withheld: "support",
    });
    expect(await staffRoleOf("ana")).toBeNull();
    expect(await findSession(db, before)).toBeNull();
    expect(await db.selectFrom("memberships").select("role").execute()).toEqual([
      { role: "admin" },
    ]);
  });
});

it("gives no role to an account that is refused (threat: a claim without the person)", async () => {
  await arrive("a-1", "ana@aurora.example");
  await arrive("a-2", "ana@aurora.example", { staffRole: "operator" });
  expect(await staffRoleOf("ana")).toBeNull();
});

describe("an unknown person with an invitation", () => {
  it("gets an account without a password, and a part in nothing until they accept", async () => {
    await invite({ name: "Nova" });
    const session = await enter("n-1", "nova@new.example", { name: "Nova Pessoa" });
    const user = await userOf("nova@new.example");
    expect(user).toMatchObject({ name: "Nova Pessoa", password_hash: null, staff_role: null });
    expect(await findSession(db, session)).toMatchObject({ userId: user?.id });
    expect(await db.selectFrom("memberships").selectAll().execute()).toEqual([]);
    const open = await db.selectFrom("invitations").select("accepted_at").execute();
    expect(open).toEqual([{ accepted_at: null }]);
  });

  it("is recognised from then on, and never by a password", async () => {
    await invite();
    await arrive("n-1", "nova@new.example");
    expect(await arrive("n-1", "nova@new.example")).toMatchObject({ outcome: "signed_in" });
    for (const typed of ["", password, "nova@new.example"]) {
      const guess = { email: "nova@new.example", password: typed, ...origin };
      expect(await signIn(db, guess, false)).toMatchObject({ outcome: "refused" });
    }
  });

  it.each([
    ["the provider's name for them", "Nova Pessoa", "Nova Pessoa"],
    ["their address, where the provider sends no name", null, "nova@new.example"],
    ["their address, where that is an operator's name", "OTÁVIO", "nova@new.example"],
    ["their address, where that is no person's", "Gancho Support", "nova@new.example"],
  ])("is called by %s (threat: an inviter who names them)", async (_what, name, called) => {
    await invite({ name: "Nova" });
    await arrive("n-1", "nova@new.example", { name });
    expect(await userOf("nova@new.example")).toMatchObject({ name: called });
  });

  it("is not called by the name of somebody in the partner's history (threat: a look-alike)", async () => {
    await invite();
    await db.transaction().execute((trx) =>
      recordHistory(trx, {
        partnerId: "aurora",
        environment: "sandbox",
        kind: "endpoint_checked",
        types: ["pix_in"],
        actor: { id: "ana", clientAddress: null },
        requestId: null,
        outcome: "enforced",
        detail: { url: "https://in.example/", typed: false, sent: null },
      }),
    );
    await arrive("n-1", "nova@new.example", { name: "Ana" });
    expect(await userOf("nova@new.example")).toMatchObject({ name: "nova@new.example" });
  });

  const disable = () => db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", "inviter");
  const suspend = () => db.updateTable("partners").set({ suspended_at: 1 });

  it.each<
    [string, { email?: string | null; changes?: object; lose?: typeof disable | typeof suspend }]
  >([
    ["they come with another address", { email: "thief@new.example" }],
    ["their address is not verified", { email: null }],
    ["it is accepted", { changes: { accepted_at: 1 } }],
    ["it is withdrawn", { changes: { revoked_at: 1 } }],
    ["it has expired", { changes: { expires_at: 1 } }],
    // Threat: a way in that outlives the right to make it.
    ["the inviting person lost access", { lose: disable }],
    ["the partner is suspended", { lose: suspend }],
  ])(
    "is refused, without an account or a link, where %s",
    async (_what, { email = "nova@new.example", changes, lose }) => {
      await invite(changes);
      await lose?.().execute();
      const refused = { outcome: "refused", reason: "not_invited", person: null };
      expect(await arrive("n-1", email)).toEqual(refused);
      expect(await db.selectFrom("users").select("id").execute()).toHaveLength(4);
      expect(await db.selectFrom("identities").selectAll().execute()).toEqual([]);
    },
  );

  it("gets one account from several sign-ins at once", async () => {
    await invite();
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => arrive("n-1", "nova@new.example")),
    );
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(8).fill("signed_in"));
    expect(new Set(ends.map((end) => "userId" in end && end.userId)).size).toBe(1);
  });
});

describe("a claim that names partners", () => {
  beforeEach(async () => {
    await insertWith(db, "partners", [
      { id: "aurora", name: "Aurora", created_at: 1 },
      { id: "mercado", name: "Mercado", created_at: 1 },
    ]);
  });

  const claim = (roles: Record<string, PartnerRole>) => new Map(Object.entries(roles));
  const enterAs = (subject: string, email: string, roles: Record<string, PartnerRole>) =>
    enter(subject, email, { partners: claim(roles) });
  const rolesOf = async (email: string) => {
    const rows = await db
      .selectFrom("memberships")
      .innerJoin("users", "users.id", "user_id")
      .select(["partner_id", "role", "managed"])
      .where("email", "=", email)
      .orderBy("partner_id")
      .execute();
    return rows.map((row) => `${row.partner_id} ${row.role}${row.managed ? "" : " by hand"}`);
  };
  const recorded = async (partnerId: string) => {
    const rows = await db
      .selectFrom("history")
      .select(["kind", "detail_json"])
      .where("partner_id", "=", partnerId)
      .orderBy("seq")
      .execute();
    return rows
      .filter(({ kind }) => kind === "membership_claimed")
      .map(({ detail_json }) => {
        const { before, after } = JSON.parse(detail_json) as Record<string, string | null>;
        return `${before} → ${after}`;
      });
  };

  it("makes an account for somebody unknown, with a part in each, and in no other", async () => {
    const session = await enterAs("n-1", "nova@new.example", {
      aurora: "admin",
      mercado: "viewer",
      nowhere: "admin",
    });
    expect(await findSession(db, session)).not.toBeNull();
    expect(await rolesOf("nova@new.example")).toEqual(["aurora admin", "mercado viewer"]);
    expect(await recorded("aurora")).toEqual(["null → admin"]);
    expect(await userOf("nova@new.example")).toMatchObject({ password_hash: null });
  });

  it.each([
    ["partners that do not exist", "nova@new.example", { nowhere: "admin" }],
    ["nobody whose address is verified", null, { aurora: "admin" }],
  ] as const)("lets nobody in for %s", async (_, email, roles) => {
    const refused = await arrive("n-1", email, { partners: claim(roles) });
    expect(refused).toMatchObject({ reason: "not_invited" });
    expect(await db.selectFrom("memberships").selectAll().execute()).toEqual([]);
  });

  it("changes and ends memberships at the next sign-in, with the sessions that rested on them, and records each (threat: access that outlives its reason)", async () => {
    const enterAna = (roles: Record<string, PartnerRole>) =>
      enterAs("a-1", "ana@aurora.example", roles);
    const first = await enterAna({ aurora: "viewer", mercado: "editor" });
    const more = await enterAna({ aurora: "admin", mercado: "editor" });
    expect(await findSession(db, first), "nothing was lost").not.toBeNull();
    const less = await enterAna({ aurora: "editor" });
    expect(await findSession(db, first)).toBeNull();
    expect(await findSession(db, more)).toBeNull();
    expect(await findSession(db, less)).not.toBeNull();
    expect(await rolesOf("ana@aurora.example")).toEqual(["aurora editor"]);
    const none = await enterAna({});
    expect(await findSession(db, less)).toBeNull();
    expect(await findSession(db, none)).not.toBeNull();
    expect(await rolesOf("ana@aurora.example")).toEqual([]);
    expect(await recorded("aurora")).toEqual([
      "null → viewer",
      "viewer → admin",
      "admin → editor",
      "editor → null",
    ]);
    expect(await recorded("mercado")).toEqual(["null → editor", "editor → null"]);
  });

  it("ends with a partner's only admin, and with the invitations that they made (threat: a way back in)", async () => {
    await enterAs("a-1", "ana@aurora.example", { aurora: "admin" });
    await insertWith(db, "invitations", [
      {
        id: "i",
        token_hash: "i",
        partner_id: "aurora",
        email: "friend@new.example",
        role: "admin",
        invited_by_id: "ana",
        created_at: 1,
        expires_at: Date.now() + 60_000,
      },
    ]);
    await enterAs("a-1", "ana@aurora.example", {});
    expect(await rolesOf("ana@aurora.example")).toEqual([]);
    expect(await arrive("f-1", "friend@new.example")).toMatchObject({ reason: "not_invited" });
    await enterAs("a-1", "ana@aurora.example", { aurora: "admin" });
    expect(await arrive("f-1", "friend@new.example")).toMatchObject({ reason: "not_invited" });
  });

  it("leaves what an invitation gave, until it names that partner", async () => {
    await insertWith(db, "memberships", [
      { partner_id: "mercado", user_id: "ana", role: "admin", created_at: 1 },
    ]);
    const enterAna = (roles: Record<string, PartnerRole>) =>
      enterAs("a-1", "ana@aurora.example", roles);
    await enterAna({ aurora: "viewer" });
    expect(await rolesOf("ana@aurora.example")).toEqual(["aurora viewer", "mercado admin by hand"]);
    await enterAna({ mercado: "admin" });
    expect(await rolesOf("ana@aurora.example")).toEqual(["mercado admin"]);
    await enterAna({});
    expect(await rolesOf("ana@aurora.example")).toEqual([]);
  });

  it("decides nothing where none is configured", async () => {
    await enterAs("a-1", "ana@aurora.example", { aurora: "viewer" });
    await enter("a-1", "ana@aurora.example");
    expect(await rolesOf("ana@aurora.example")).toEqual(["aurora viewer"]);
  });

  it("gives the staff no part in a partner (threat: staff with access to a partner's data)", async () => {
    await db.updateTable("users").set({ staff_role: "support" }).where("id", "=", "ana").execute();
    await enterAs("a-1", "ana@aurora.example", { aurora: "admin" });
    expect(await rolesOf("ana@aurora.example")).toEqual([]);
    expect(await staffRoleOf("ana")).toBe("support");
    // Where a claim decides of both, a member is no staff.
    await enter("a-1", "ana@aurora.example", {
      staffRole: "support",
      partners: claim({ aurora: "admin" }),
    });
    expect(await rolesOf("ana@aurora.example")).toEqual(["aurora admin"]);
    expect(await staffRoleOf("ana")).toBeNull();
  });

  it("is applied once, however many sign-ins come at once", async () => {
    const both = claim({ aurora: "editor", mercado: "admin" });
    const ends = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        arrive(`n-${n % 2}`, `nova${n % 2}@new.example`, { partners: both }),
      ),
    );
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(6).fill("signed_in"));
    expect(await recorded("mercado")).toEqual(["null → admin", "null → admin"]);
  });

  it("lets in people who are a second person to each other: nobody here let them in", async () => {
    await enterAs("n-1", "one@new.example", { aurora: "admin" });
    await enterAs("n-2", "two@new.example", { aurora: "editor" });
    const [one, two] = await approversOf(db, "aurora");
    if (!one || !two) throw new Error("there are two");
    expect(areIndependent(one, two)).toBe(true);
  });
});
