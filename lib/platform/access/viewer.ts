import "server-only";
import { codesSetUpAt, hasPasskey } from "@/lib/platform/auth/second-factors";
import { readSignedIn } from "@/lib/platform/auth/sessions/read-session";
import type { Session, SessionOf } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { cache } from "react";
import type { PartnerRole, StaffRole } from "@/lib/platform/access/model/roles";
import { isManaged } from "./is-managed";

export type Membership = { partnerId: string; partnerName: string; role: PartnerRole };

/**
 * The signed-in person, and the roles that their session opens. Read from the database on every request, never from the
 * cookie.
 */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  /** The address by which invitations are theirs; null where their provider vouches for another one by now. */
  invitedAs: string | null;
  staffRole: StaffRole | null;
  memberships: Membership[];
};

export type SignedIn = {
  viewer: Viewer;
  session: Session;
  /** Nothing is permitted but setting up one-time codes. */
  codesMissing: boolean;
  /** Nothing is permitted but adding a passkey, or using one; null where none is required. */
  passkeyMissing: "add" | "use" | null;
  /** They have a role that opens only in a session that the provider began, and this one began otherwise. */
  opensAtProvider: boolean;
};

/**
 * The signed-in person and their session, or null. A page reads them once, however many of its parts need them. This
 * says who is signed in; `currentViewer` says who may do something.
 */
export const signedIn = cache(async (): Promise<SignedIn | null> => {
  const found = await readSignedIn();
  const person = found && personIn(found);
  if (!person) return null;
  const { session } = found;
  const { viewer, opensAtProvider } = person;
  // Where people sign in by single sign-on, its provider is in charge of how.
  const isProven = session.byPasskey || session.signedInBy === "single_sign_on";
  const passkeyMissing = isProven ? null : await passkeyMissingOf(viewer);
  // A passkey counts as codes, too.
  const codesMissing = !isProven && passkeyMissing === null && (await areCodesMissing(viewer));
  return { viewer, session, codesMissing, passkeyMissing, opensAtProvider };
});

/** The signed-in person, or null; null also where one-time codes or a passkey have to be set up first. */
export async function currentViewer(): Promise<Viewer | null> {
  const person = await signedIn();
  return person && !mustEnrolFirst(person) ? person.viewer : null;
}

/** Whether a requirement of this person is not met, so that only their account opens. */
export function mustEnrolFirst({ codesMissing, passkeyMissing }: SignedIn): boolean {
  return codesMissing || passkeyMissing !== null;
}

/** What people of this kind need beside a password; null: nothing. */
export function requiredSecondFactor({
  staffRole,
  memberships,
}: Viewer): "passkey" | "passkey_or_codes" | null {
  const { of, passkey } = env().requireSecondFactor ?? {};
  const isAdmin = memberships.some(({ role }) => role === "admin");
  const isRequired =
    of !== undefined && (of === "all" || staffRole !== null || (of === "admins" && isAdmin));
  if (!isRequired) return null;
  return passkey ? "passkey" : "passkey_or_codes";
}

async function passkeyMissingOf(viewer: Viewer): Promise<SignedIn["passkeyMissing"]> {
  if (requiredSecondFactor(viewer) !== "passkey") return null;
  return (await hasPasskey(db(), viewer.id)) ? "use" : "add";
}

async function areCodesMissing(viewer: Viewer): Promise<boolean> {
  if (requiredSecondFactor(viewer) === null) return false;
  return (await codesSetUpAt(db(), viewer.id)) === null;
}

/**
 * What the provider gives opens only in a session that it began: somebody who left it may still have a password or a
 * passkey here. That is a membership that its claim decides, and where a claim names the staff, the staff role of
 * whoever is linked to it.
 */
function personIn({
  session: { signedInBy },
  person: rows,
}: SessionOf): Pick<SignedIn, "viewer" | "opensAtProvider"> | null {
  const { oidc } = env();
  const [user] = rows;
  if (!user) return null;
  const beganThere = signedInBy === "single_sign_on";
  const memberships = rows.flatMap(({ partnerId, partnerName, role, managed }) =>
    partnerId !== null && partnerName !== null && role !== null
      ? [{ partnerId, partnerName, role, opens: beganThere || !isManaged({ managed }) }]
      : [],
  );
  const staffOpens = beganThere || !oidc?.staff || user.subject === null;
  return {
    viewer: {
      id: user.id,
      name: user.name,
      email: user.email,
      invitedAs: user.email_vouched === 1 ? user.email : null,
      staffRole: staffOpens ? user.staff_role : null,
      memberships: memberships
        .filter(({ opens }) => opens)
        .map(({ opens: _, ...membership }) => membership),
    },
    opensAtProvider:
      (!staffOpens && user.staff_role !== null) || memberships.some(({ opens }) => !opens),
  };
}
