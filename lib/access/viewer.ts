import "server-only";
import { readSession } from "@/lib/auth/read-session";
import type { Session } from "@/lib/auth/sessions";
import { db } from "@/lib/db/open";
import { cache } from "react";
import type { PartnerRole, StaffRole } from "./roles";

export type Membership = { partnerId: string; partnerName: string; role: PartnerRole };

/** The signed-in person, with what they are part of. Read from the database on every request, never from the cookie. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  staffRole: StaffRole | null;
  memberships: Membership[];
};

export type SignedIn = { viewer: Viewer; session: Session };

/** The signed-in person and the session that says so, or null. One look per request, however many parts of a page ask. */
export const signedIn = cache(async (): Promise<SignedIn | null> => {
  const session = await readSession();
  const viewer = session && (await loadViewer(session.userId));
  return viewer && { viewer, session };
});

/** The signed-in person, or null. */
export async function currentViewer(): Promise<Viewer | null> {
  return (await signedIn())?.viewer ?? null;
}

async function loadViewer(userId: string): Promise<Viewer | null> {
  const user = await db()
    .selectFrom("users")
    .select(["id", "name", "email", "staff_role"])
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (!user) return null;
  const memberships = await db()
    .selectFrom("memberships")
    .innerJoin("partners", "partners.id", "memberships.partner_id")
    .select(["partners.id as partnerId", "partners.name as partnerName", "memberships.role"])
    .where("memberships.user_id", "=", userId)
    .where("partners.suspended_at", "is", null)
    .orderBy("partners.name")
    .execute();
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    staffRole: user.staff_role,
    memberships,
  };
}
