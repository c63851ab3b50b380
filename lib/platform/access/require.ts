import "server-only";
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
import { currentSupportView, type SupportView } from "./support-view";
import { signedIn, type SignedIn, type Viewer } from "./viewer";

/** A person acting within one partner; what the functions that read and write ask for first. */
export type PartnerAccess = {
  viewer: Viewer;
  partner: { id: string; name: string };
  role: ActingRole;
  /** Where the role is support: on the strength of what. */
  supportView: SupportView | null;
};

/** The id as it is, for a row that is looked for next. Throws `not_found` for what is no id of ours. */
export function requireId(id: string): string {
  if (!idPattern.test(id)) throw new ProblemError("not_found");
  return id;
}

/**
 * Throws `signed_out`, or `one_time_codes_required` or `passkey_required` for who has to set them up, or use one, before
 * anything else.
 */
export async function requireUser(): Promise<Viewer> {
  const { viewer, codesMissing, passkeyMissing } = await requireSignedIn();
  if (passkeyMissing !== null) throw new ProblemError("passkey_required");
  if (codesMissing) throw new ProblemError("one_time_codes_required");
  return viewer;
}

/** For what somebody does about their own account and sessions. Throws as `requireUser` does. */
export async function requireOwnAccount(): Promise<SignedIn> {
  await requireUser();
  return requireSignedIn();
}

/**
 * Also who may do nothing but set up one-time codes or a passkey, or use it: for that, and for nothing else. Throws
 * `signed_out`.
 */
export async function requireSignedIn(): Promise<SignedIn> {
  const person = await signedIn();
  if (!person) throw new ProblemError("signed_out");
  return person;
}

/**
 * Throws `signed_out`, `not_found` for a partner the person has no part in (the same as for one that does not exist),
 * or `forbidden` where the role does not reach. Support acts within an open support view only, else
 * `support_view_required`.
 */
export async function requirePartner(
  partnerId: string,
  permission: Permission,
): Promise<PartnerAccess> {
  const viewer = await requireUser();
  if (!idPattern.test(partnerId)) throw new ProblemError("not_found");
  const membership = viewer.memberships.find((m) => m.partnerId === partnerId);
  if (!membership) return requireSupportView(viewer, partnerId, permission);
  if (!may(membership.role, permission)) throw new ProblemError("forbidden");
  return {
    viewer,
    partner: { id: membership.partnerId, name: membership.partnerName },
    role: membership.role,
    supportView: null,
  };
}

async function requireSupportView(
  viewer: Viewer,
  partnerId: string,
  permission: Permission,
): Promise<PartnerAccess> {
  if (viewer.staffRole !== "support") throw new ProblemError("not_found");
  const partner = await findPartner(partnerId);
  if (!may("support", permission)) throw new ProblemError("forbidden");
  const supportView = await currentSupportView(partnerId);
  if (!supportView) throw new ProblemError("support_view_required");
  return { viewer, partner, role: "support", supportView };
}

/** Throws `signed_out`, `not_found` for who is no staff, or `forbidden` where the staff role does not reach. */
export async function requireStaff(permission: StaffPermission): Promise<Viewer> {
  const viewer = await requireUser();
  if (!viewer.staffRole) throw new ProblemError("not_found");
  if (!staffMay(viewer.staffRole, permission)) throw new ProblemError("forbidden");
  return viewer;
}

/**
 * For what staff do about one partner. Throws the problems of `requireStaff` (but `forbidden` for the partner's own
 * people, who know that it is there), and `not_found` for a partner that does not exist.
 */
export async function requireStaffFor(
  partnerId: string,
  permission: StaffPermission,
): Promise<{ viewer: Viewer; partner: { id: string; name: string } }> {
  const viewer = await requireUser();
  const isMember = viewer.memberships.some((m) => m.partnerId === partnerId);
  if (!viewer.staffRole && !isMember) throw new ProblemError("not_found");
  if (!viewer.staffRole || !staffMay(viewer.staffRole, permission))
    throw new ProblemError("forbidden");
  return { viewer, partner: await findPartner(partnerId) };
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
