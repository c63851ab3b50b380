import {
  requireOwnAccount,
  requirePartner,
  requireSettingUp,
  requireSignedIn,
  requireStaff,
  requireStaffFor,
  type OwnAccount,
  type PartnerAccess,
  type SettingUp,
  type StaffAccess,
  type StaffAccessTo,
} from "@/lib/platform/access/require";
import type { Permission, StaffPermission } from "@/lib/platform/access/model/roles";
import type { SignedIn } from "@/lib/platform/access/viewer";

type Act<Access, Rest extends unknown[], Result> = (
  access: Access,
  ...rest: Rest
) => Promise<Result>;

/**
 * Server functions as their routes call them: the signed-in person's access is checked first, by the partner's id, so
 * that a test sees who is refused.
 */
export function inPartner<P extends Permission, Rest extends unknown[], Result>(
  permission: P,
  act: Act<PartnerAccess<P>, Rest, Result>,
) {
  return async (partner: string, ...rest: Rest) =>
    act(await requirePartner(partner, permission), ...rest);
}

export function byStaffFor<P extends StaffPermission, Rest extends unknown[], Result>(
  permission: P,
  act: Act<StaffAccessTo<P>, Rest, Result>,
) {
  return async (partner: string, ...rest: Rest) =>
    act(await requireStaffFor(partner, permission), ...rest);
}

export function byStaff<P extends StaffPermission, Rest extends unknown[], Result>(
  permission: P,
  act: Act<StaffAccess<P>, Rest, Result>,
) {
  return async (...rest: Rest) => act(await requireStaff(permission), ...rest);
}

export function inOwnAccount<Rest extends unknown[], Result>(act: Act<OwnAccount, Rest, Result>) {
  return async (...rest: Rest) => act(await requireOwnAccount(), ...rest);
}

export function signedIn<Rest extends unknown[], Result>(act: Act<SignedIn, Rest, Result>) {
  return async (...rest: Rest) => act(await requireSignedIn(), ...rest);
}

export function settingUp<What extends "codes" | "passkey", Rest extends unknown[], Result>(
  what: What,
  act: Act<SettingUp<What>, Rest, Result>,
) {
  return async (...rest: Rest) => act(await requireSettingUp(what), ...rest);
}
