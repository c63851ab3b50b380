import "server-only";
import type { Session } from "@/lib/platform/auth/sessions/sessions";
import { env } from "@/lib/platform/env/env";
import { idPattern } from "@/lib/platform/http/model/id-pattern";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { db } from "@/lib/platform/database/open";
import {
  may,
  staffMay,
  type ActingRole,
  type Permission,
  type StaffPermission,
} from "@/lib/platform/access/model/roles";
import { openSupportViews, type SupportView } from "./support-view";
import { signedIn, type SignedIn, type Viewer } from "./viewer";

/** Only this file sets it, so a function that takes an access cannot be called without the check here. */
declare const granted: unique symbol;
type Granted<What> = { readonly [granted]: What };

/** A person who may do `P` within one partner: the first argument of every function that reads or writes there. */
export type PartnerAccess<P extends Permission = Permission> = Granted<P> & {
  viewer: Viewer;
  partner: { id: string; name: string };
  role: ActingRole;
  /** The view that lets support in; null for every other role. */
  supportView: SupportView | null;
  /** The session of the request, read once; null for a program. */
  session: Session | null;
};

/** A person of the staff, who may do `P`. */
export type StaffAccess<P extends StaffPermission = StaffPermission> = Granted<P> & {
  viewer: Viewer;
  session: Session;
};

/** A person of the staff, who may do `P` about one partner. */
export type StaffAccessTo<P extends StaffPermission = StaffPermission> = StaffAccess<P> & {
  partner: { id: string; name: string };
};

/** A person at their own account who has set up all that is required of them. */
export type OwnAccount = Granted<"own account"> & SignedIn;

/** What a person may first have to set up, to be let in by more than a password. */
type SecondFactor = "codes" | "passkey";

/** A person who may set this up now. */
export type SettingUp<What extends SecondFactor> = Granted<What> & SignedIn;

/**
 * For a program at the operator's terminal that acts in the name of one of the partner's people. It has no session, so
 * it does nothing that needs a step-up.
 */
export function accessOnTrust<P extends Permission>(
  permission: P,
  { viewer, partner, role }: Pick<PartnerAccess, "viewer" | "partner" | "role">,
): PartnerAccess<P> {
  if (!may(role, permission)) throw new ProblemError("forbidden");
  return grant<PartnerAccess<P>>({ viewer, partner, role, supportView: null, session: null });
}

function grant<Access extends Granted<unknown>>(access: Omit<Access, typeof granted>): Access {
  return access as Access;
}

/** Returns the id unchanged if it has the form of our ids; else throws `not_found`. */
export function requireId(id: string): string {
  if (!idPattern.test(id)) throw new ProblemError("not_found");
  return id;
}

/**
 * Throws `signed_out`; or `one_time_codes_required` or `passkey_required` for a person who first has to set them up or
 * use one.
 */
export async function requireUser(): Promise<Viewer> {
  return (await requireOwnAccount()).viewer;
}

function requireEnrolled({ codesMissing, passkeyMissing }: SignedIn): void {
  if (passkeyMissing !== null) throw new ProblemError("passkey_required");
  if (codesMissing) throw new ProblemError("one_time_codes_required");
}

/** For every signed-in person, also at their own account. Throws as `requireUser` does. */
export async function requireOwnAccount(): Promise<OwnAccount> {
  const person = await requireSignedIn();
  requireEnrolled(person);
  return grant<OwnAccount>(person);
}

/**
 * Also accepts a person who may do nothing before they have set this up. Not one who has a passkey and has not used it:
 * somebody who has the password alone could add a passkey. Throws as `requireUser` does.
 */
export async function requireSettingUp<What extends SecondFactor>(
  what: What,
): Promise<SettingUp<What>> {
  const person = await requireSignedIn();
  const isMissing = what === "codes" ? person.codesMissing : person.passkeyMissing === "add";
  if (!isMissing) requireEnrolled(person);
  return grant<SettingUp<What>>(person);
}

/**
 * Also accepts a person who may do nothing before they have set up or used one-time codes or a passkey: to show them
 * that, and for the step-up, which uses one. Throws `signed_out`.
 */
export async function requireSignedIn(): Promise<SignedIn> {
  const person = await signedIn();
  if (!person) throw new ProblemError("signed_out");
  return person;
}

/**
 * Throws `signed_out`; `not_found` for a partner in which the person has no part, as for one that does not exist;
 * `forbidden` if the role may not do this; `support_view_required` for support without an open view.
 */
export async function requirePartner<P extends Permission>(
  partnerId: string,
  permission: P,
): Promise<PartnerAccess<P>> {
  const { viewer, session } = await requireOwnAccount();
  if (!idPattern.test(partnerId)) throw new ProblemError("not_found");
  const membership = viewer.memberships.find((m) => m.partnerId === partnerId);
  if (!membership) return requireSupportView({ viewer, session }, partnerId, permission);
  if (!may(membership.role, permission)) throw new ProblemError("forbidden");
  return grant<PartnerAccess<P>>({
    viewer,
    partner: { id: membership.partnerId, name: membership.partnerName },
    role: membership.role,
    supportView: null,
    session,
  });
}

async function requireSupportView<P extends Permission>(
  { viewer, session }: Pick<SignedIn, "viewer" | "session">,
  partnerId: string,
  permission: P,
): Promise<PartnerAccess<P>> {
  if (viewer.staffRole !== "support") throw new ProblemError("not_found");
  const partner = await findPartner(partnerId);
  if (!may("support", permission)) throw new ProblemError("forbidden");
  const views = await openSupportViews(session);
  const supportView = views.find((view) => view.partner.id === partnerId);
  if (!supportView) throw new ProblemError("support_view_required");
  return grant<PartnerAccess<P>>({ viewer, partner, role: "support", supportView, session });
}

/**
 * Throws `signed_out`, `not_found` for a person who is no staff, or `forbidden` where the staff role does not suffice.
 */
export async function requireStaff<P extends StaffPermission>(
  permission: P,
): Promise<StaffAccess<P>> {
  const { viewer, session } = await requireOwnAccount();
  if (!viewer.staffRole) throw new ProblemError("not_found");
  if (!staffMay(viewer.staffRole, permission)) throw new ProblemError("forbidden");
  return grant<StaffAccess<P>>({ viewer, session });
}

/**
 * For staff's actions on one partner. Throws the problems of `requireStaff` (but `forbidden` for the partner's own
 * people, who know that it exists), and `not_found` for a partner that does not exist.
 */
export async function requireStaffFor<P extends StaffPermission>(
  partnerId: string,
  permission: P,
): Promise<StaffAccessTo<P>> {
  const { viewer, session } = await requireOwnAccount();
  const isMember = viewer.memberships.some((m) => m.partnerId === partnerId);
  if (!viewer.staffRole && !isMember) throw new ProblemError("not_found");
  if (!viewer.staffRole || !staffMay(viewer.staffRole, permission))
    throw new ProblemError("forbidden");
  return grant<StaffAccessTo<P>>({ viewer, session, partner: await findPartner(partnerId) });
}

async function findPartner(partnerId: string): Promise<{ id: string; name: string }> {
  const partner = idPattern.test(partnerId)
    ? await db()
        .selectFrom("partners")
        .select(["id", "name"])
        .where("id", "=", partnerId)
        .executeTakeFirst()
    : undefined;
  if (!partner) throw new ProblemError("not_found");
  return partner;
}

/** Throws `not_found` for an environment that the operator has not configured. Returns its base address. */
export function requireEnvironment(environment: string): { name: string; baseUrl: string } {
  const baseUrl = env().environments.get(environment);
  if (!idPattern.test(environment) || baseUrl === undefined) throw new ProblemError("not_found");
  return { name: environment, baseUrl };
}
