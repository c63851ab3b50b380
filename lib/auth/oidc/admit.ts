import "server-only";
import type { Db, Executor } from "@/lib/db/open";
import type { SingleSignOnFailure } from "@/lib/single-sign-on-failure";
import { endSessionsOf, startSession, type Origin } from "../sessions";
import type { Identity, StaffRole } from "./claims";
import { accountForInvited } from "./invited";

export type Admission =
  | {
      outcome: "signed_in";
      userId: string;
      sessionId: string;
      /** null where it stayed as it was. */
      staffRole: { before: StaffRole | null; after: StaffRole | null } | null;
    }
  | {
      outcome: "refused";
      userId: string | null;
      reason: Extract<
        SingleSignOnFailure,
        "not_invited" | "email_not_verified" | "other_account" | "other_address"
      >;
    };

export type Arrival = {
  identity: Identity;
  /** What the provider's claim says; null: no staff; undefined: no claim decides. */
  staffRole: StaffRole | null | undefined;
  /** Hash of the token of the link that they came with. */
  invitation: string | null;
  origin: Origin;
};

/**
 * Starts a session for somebody whom the provider vouches for, if they are known here or came with an invitation to
 * their address: nobody else gets an account by signing in. The first time a person is found by their verified e-mail address, and from then on by the provider's
 * own name for their account, so that an address which the provider gives to somebody else does not take over.
 */
export async function admit(db: Db, arrival: Arrival): Promise<Admission> {
  const { identity, origin } = arrival;
  if (identity.verifiedEmail === null) return refused("email_not_verified", null);
  const email = identity.verifiedEmail;
  return db.transaction().execute(async (trx) => {
    const known = (await findLinked(trx, identity)) ?? (await findByEmail(trx, email));
    const fault = known ? null : await accountForInvited(trx, arrival);
    if (fault) return refused(fault, null);
    const person = known ?? (await findByEmail(trx, email));
    if (!person || person.disabled_at !== null) return refused("not_invited", person?.id ?? null);
    if (!(await isTheirs(trx, identity, person.id))) return refused("other_account", person.id);
    const staffRole = await setStaffRole(trx, person, arrival.staffRole);
    const sessionId = await startSession(trx, person.id, origin, { by: "single_sign_on" });
    return { outcome: "signed_in", userId: person.id, sessionId, staffRole };
  });
}

function refused(
  reason: Extract<Admission, { outcome: "refused" }>["reason"],
  userId: string | null,
): Admission {
  return { outcome: "refused", reason, userId };
}

type Person = { id: string; disabled_at: number | null; staff_role: StaffRole | null };

async function findLinked(
  db: Executor,
  { issuer, subject }: Identity,
): Promise<Person | undefined> {
  return db
    .selectFrom("identities")
    .innerJoin("users", "users.id", "identities.user_id")
    .select(["users.id", "users.disabled_at", "users.staff_role"])
    .where("identities.issuer", "=", issuer)
    .where("identities.subject", "=", subject)
    .executeTakeFirst();
}

async function findByEmail(db: Executor, email: string): Promise<Person | undefined> {
  return db
    .selectFrom("users")
    .select(["id", "disabled_at", "staff_role"])
    .where("email", "=", email)
    .executeTakeFirst();
}

/** Links the account to the person if neither is linked yet; then tells whether they belong together. */
async function isTheirs(
  db: Executor,
  { issuer, subject }: Identity,
  userId: string,
): Promise<boolean> {
  await db
    .insertInto("identities")
    .values({ issuer, subject, user_id: userId, linked_at: Date.now() })
    // Whichever of the two it is that is taken.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const link = await db
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return link?.user_id === userId;
}

/** As wherever a role changes, what the person has open under the old one ends. */
async function setStaffRole(
  db: Executor,
  { id, staff_role: before }: Person,
  after: Arrival["staffRole"],
): Promise<Extract<Admission, { outcome: "signed_in" }>["staffRole"]> {
  if (after === undefined || after === before) return null;
  await db.updateTable("users").set({ staff_role: after }).where("id", "=", id).execute();
  await endSessionsOf(db, id);
  return { before, after };
}
