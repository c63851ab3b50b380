import "server-only";
import { randomUUID } from "node:crypto";
import type { Db, Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import type { SingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import { recordPerson } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import { endPasswordLinksOf } from "@/lib/platform/auth/passwords/password-link";
import { isNameTaken } from "@/lib/platform/auth/person-names";
import { namesTaken } from "@/lib/platform/auth/names-taken";
import { endAccessGivenBy, openInvitationsTo } from "@/lib/platform/auth/right-to-invite";
import { lockPerson } from "@/lib/platform/database/row-locks";
import {
  endSessionsOf,
  startSession,
  type AtProvider,
} from "@/lib/platform/auth/sessions/sessions";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { ClaimedPartners, ClaimedRole, Identity } from "./claims";
import { applyClaimedPartners, existingPartners } from "./memberships";

export type Admission =
  | {
      outcome: "signed_in";
      userId: string;
      sessionId: string;
      /** null where it stayed as it was. */
      staffRole: { before: ClaimedRole | null; after: ClaimedRole | null } | null;
      /** The staff role that the claim would have given; null where none was withheld. */
      withheld: ClaimedRole | null;
    }
  | {
      outcome: "refused";
      /** The affected account, if any. The caller that counts the attempt records the entry. */
      person: { id: string; name: string } | null;
      reason: Extract<SingleSignOnFailure, "not_invited" | "other_account">;
    };

export type ProviderSignIn = {
  identity: Identity;
  /** What the provider's claim says; null: no staff; undefined: no claim decides. */
  staffRole: ClaimedRole | null | undefined;
  /** What the provider's claim says; undefined: no claim decides. */
  partners: ClaimedPartners | undefined;
  atProvider?: AtProvider | undefined;
  origin: SignInContext;
};

/**
 * Starts a session for a person whom the provider vouches for, if they have an account, a claim names them, or there is
 * an open invitation to their address: nobody else gets an account by signing in. The first time, the verified e-mail
 * address finds the person, and from then on the provider's own id for their account, so that an address which the
 * provider gives to somebody else does not take over.
 */
export async function admit(db: Db, signIn: ProviderSignIn): Promise<Admission> {
  const { identity, origin } = signIn;
  if (identity.verifiedEmail === null) return refused("not_invited", null);
  const email = identity.verifiedEmail;
  return db.transaction().execute(async (trx) => {
    const known = (await findLinked(trx, identity)) ?? (await findByEmail(trx, email));
    if (!known) await accountForExpected(trx, email, signIn);
    const found = known ?? (await findByEmail(trx, email));
    if (!found || found.disabled_at !== null) return refused("not_invited", found ?? null);
    const link = await linkTo(trx, identity, found.id);
    if (link === "others") return refused("other_account", found);
    const person = await followAddress(trx, found, email);
    await setPartners(trx, person, signIn);
    const { staffRole, withheld } = await setStaffRole(trx, person, signIn);
    const sessionId = await startSession(trx, person.id, origin, {
      by: "single_sign_on",
      atProvider: signIn.atProvider,
    });
    const changes = {
      isNew: known === undefined,
      linked: link === "now",
      moved: person.email !== found.email,
      staffRole,
    };
    await record(trx, person, changes, origin);
    return { outcome: "signed_in", userId: person.id, sessionId, staffRole, withheld };
  });
}

function refused(
  reason: Extract<Admission, { outcome: "refused" }>["reason"],
  person: Person | null,
): Admission {
  return { outcome: "refused", reason, person: person && { id: person.id, name: person.name } };
}

type Person = {
  id: string;
  name: string;
  email: string;
  disabled_at: number | null;
};

type Changes = {
  isNew: boolean;
  linked: boolean;
  /** To another address. */
  moved: boolean;
  staffRole: SignedIn["staffRole"];
};

type SignedIn = Extract<Admission, { outcome: "signed_in" }>;

async function record(
  trx: Transaction<Database>,
  { id, name, email }: Person,
  { isNew, linked, moved, staffRole }: Changes,
  caller: SignInContext,
): Promise<void> {
  const { requestId, clientAddress } = caller;
  const entry = { who: { id, name }, requestId, clientAddress, outcome: null };
  const detail = { userId: id, name, email };
  if (isNew) await recordPerson(trx, { ...entry, kind: "account_created", detail });
  if (linked)
    await recordPerson(trx, {
      ...entry,
      kind: "account_linked",
      detail: { ...detail, ...(isNew && { ofNewAccount: true as const }) },
    });
  if (moved) await recordPerson(trx, { ...entry, kind: "email_changed", detail });
  if (staffRole)
    await recordPerson(trx, {
      ...entry,
      kind: "staff_role_changed",
      detail: { ...detail, ...staffRole },
    });
  await recordPerson(trx, {
    ...entry,
    kind: "signed_in",
    detail: {
      by: "single_sign_on",
      code: null,
      recoveryCodesLeft: null,
      knownBrowser: null,
      ...parseUserAgent(caller.userAgent),
    },
  });
}

async function findLinked(
  db: Executor,
  { issuer, subject }: Identity,
): Promise<Person | undefined> {
  return db
    .selectFrom("identities")
    .innerJoin("users", "users.id", "identities.user_id")
    .select(["users.id", "users.name", "users.email", "users.disabled_at"])
    .where("identities.issuer", "=", issuer)
    .where("identities.subject", "=", subject)
    .executeTakeFirst();
}

async function findByEmail(db: Executor, email: string): Promise<Person | undefined> {
  return db
    .selectFrom("users")
    .select(["id", "name", "email", "disabled_at"])
    .where("email", "=", email)
    .executeTakeFirst();
}

/**
 * An address counts only while somebody vouches for it: the provider may give an earlier one to somebody else. The
 * account gets the one that it vouches for now. Where somebody else has that here, it keeps its own, by which nothing is
 * theirs until the provider vouches for it again. Links that were mailed to an earlier address end.
 */
async function followAddress(
  trx: Transaction<Database>,
  person: Person,
  email: string,
): Promise<Person> {
  const { email: before } = await lockPerson(trx, person.id);
  const isTaken = email !== before && (await findByEmail(trx, email)) !== undefined;
  const after = isTaken ? before : email;
  await trx
    .updateTable("users")
    .set({ email: after, email_vouched: isTaken ? 0 : 1 })
    .where("id", "=", person.id)
    .execute();
  if (email !== before) await endPasswordLinksOf(trx, person.id, databaseTime());
  return { ...person, email: after };
}

/** Links the account to the person if neither is linked yet; returns whether they belong together, and since when. */
async function linkTo(
  db: Executor,
  { issuer, subject }: Identity,
  userId: string,
): Promise<"now" | "before" | "others"> {
  const { numInsertedOrUpdatedRows: linked } = await db
    .insertInto("identities")
    .values({ issuer, subject, user_id: userId })
    // The account or the person may be linked already.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (linked === 1n) return "now";
  const link = await db
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return link?.user_id === userId ? "before" : "others";
}

/**
 * Sessions under the old role end, as wherever a role changes. Staff have no access to a partner's data, so a member of
 * a partner is no staff, whatever the claim says. A person who was both already loses the staff role, not the
 * membership: an operator can be created again at the terminal, a partner's only admin cannot.
 */
async function setStaffRole(
  trx: Transaction<Database>,
  { id }: Person,
  { staffRole: claimed, origin }: ProviderSignIn,
): Promise<Pick<SignedIn, "staffRole" | "withheld">> {
  if (claimed === undefined) return { staffRole: null, withheld: null };
  // Accepting an invitation takes the same lock.
  const { staff_role: before } = await lockPerson(trx, id);
  const withheld = (await isMember(trx, id)) ? claimed : null;
  const after = withheld === null ? claimed : null;
  if (after === before) return { staffRole: null, withheld };
  await trx.updateTable("users").set({ staff_role: after }).where("id", "=", id).execute();
  await endSessionsOf(trx, id, "role_changed");
  if (before === "operator") await endAccessGivenBy(trx, id, "provider", origin);
  return { staffRole: { before, after }, withheld };
}

/**
 * Sessions that rested on what was lost end. Staff get no access to a partner's data: a person whose staff role no claim
 * decides keeps that, and what the claim names is theirs once they are staff no more.
 */
async function setPartners(
  trx: Transaction<Database>,
  person: Person,
  { partners, staffRole, origin }: ProviderSignIn,
): Promise<void> {
  if (partners === undefined) return;
  const { staff_role } = await lockPerson(trx, person.id);
  const isStaff = staff_role !== null && staffRole === undefined;
  if (await applyClaimedPartners(trx, person, isStaff ? new Map() : partners, origin))
    await endSessionsOf(trx, person.id, "role_changed");
}

async function isMember(db: Executor, userId: string): Promise<boolean> {
  const query = db.selectFrom("memberships").select("partner_id").where("user_id", "=", userId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Makes an account for an unknown person whom a claim names as a member or as staff, or with an invitation to the
 * address that the provider vouches for: that one they accept on its page, or not. The account has no password, so none
 * opens it. Without a name of the provider's that can be told from others, it has the address until the person chooses
 * one.
 */
async function accountForExpected(
  db: Executor,
  email: string,
  { identity: { name: nameAtProvider }, partners = new Map(), staffRole = null }: ProviderSignIn,
): Promise<void> {
  const [invited] = await openInvitationsTo(db, email);
  const named = (await existingPartners(db, partners)).map(({ id }) => id);
  const expected = [...named, ...(invited ? [invited.partner_id] : [])];
  if (expected.length === 0 && staffRole === null) return;
  const isTaken =
    nameAtProvider === null || isNameTaken(nameAtProvider, await namesTaken(db, expected));
  // Not the name by which the inviter knows them: nobody names another person.
  const name = isTaken ? email.slice(0, 200) : nameAtProvider;
  await db
    .insertInto("users")
    .values({
      id: randomUUID(),
      email,
      name,
      password_hash: null,
      staff_role: null,
      disabled_at: null,
      created_at: databaseTime(),
    })
    // Another request of the same person may have made it.
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
}
