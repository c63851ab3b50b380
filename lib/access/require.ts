import "server-only";
import { env } from "@/lib/env";
import { ProblemError } from "@/lib/problem";
import { may, type ActingRole, type Permission } from "./roles";
import { currentViewer, type Viewer } from "./viewer";

/** A person acting within one partner; what the functions that read and write ask for first. */
export type PartnerAccess = {
  viewer: Viewer;
  partner: { id: string; name: string };
  role: ActingRole;
};

/** Ids in paths are checked before they meet the database. */
const idPattern = /^[a-z0-9-]{3,40}$/;

/** Throws `signed_out`. */
export async function requireUser(): Promise<Viewer> {
  const viewer = await currentViewer();
  if (!viewer) throw new ProblemError("signed_out");
  return viewer;
}

/**
 * Throws `signed_out`, `not_found` for a partner the person has no part in (the same as for one that does not exist),
 * or `forbidden` where the role does not reach.
 */
export async function requirePartner(
  partnerId: string,
  permission: Permission,
): Promise<PartnerAccess> {
  const viewer = await requireUser();
  if (!idPattern.test(partnerId)) throw new ProblemError("not_found");
  const membership = viewer.memberships.find((m) => m.partnerId === partnerId);
  if (!membership) throw new ProblemError("not_found");
  if (!may(membership.role, permission)) throw new ProblemError("forbidden");
  return {
    viewer,
    partner: { id: membership.partnerId, name: membership.partnerName },
    role: membership.role,
  };
}

/** Throws `not_found` for an environment that the operator has not configured. Returns its base address. */
export function requireEnvironment(environment: string): { name: string; baseUrl: string } {
  const baseUrl = env().environments.get(environment);
  if (!idPattern.test(environment) || baseUrl === undefined) throw new ProblemError("not_found");
  return { name: environment, baseUrl };
}
