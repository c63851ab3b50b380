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

/**
 * Server functions as their routes call them: the signed-in person's access is checked first, by the partner's id, so
 * that a test sees who is refused.
 */
export function inPartner<P extends Permission, Rest extends unknown[], Result>(
  permission: P,
  act: (access: PartnerAccess<P>, ...rest: Rest) => Promise<Result>,
) {
  return async (partner: string, ...rest: Rest): Promise<Result> =>
    act(await requirePartner(partner, permission), ...rest);
}

export function byStaffFor<P extends StaffPermission, Rest extends unknown[], Result>(
  permission: P,
  act: (access: StaffAccessTo<P>, ...rest: Rest) => Promise<Result>,
) {
  return async (partner: string, ...rest: Rest): Promise<Result> =>
    act(await requireStaffFor(partner, permission), ...rest);
}

export function byStaff<P extends StaffPermission, Rest extends unknown[], Result>(
  permission: P,
  act: (access: StaffAccess<P>, ...rest: Rest) => Promise<Result>,
) {
  return async (...rest: Rest): Promise<Result> => act(await requireStaff(permission), ...rest);
}

export function inOwnAccount<Rest extends unknown[], Result>(
  act: (access: OwnAccount, ...rest: Rest) => Promise<Result>,
) {
  return async (...rest: Rest): Promise<Result> => act(await requireOwnAccount(), ...rest);
}

export function signedIn<Rest extends unknown[], Result>(
  act: (person: SignedIn, ...rest: Rest) => Promise<Result>,
) {
  return async (...rest: Rest): Promise<Result> => act(await requireSignedIn(), ...rest);
}

export function settingUp<What extends "codes" | "passkey", Rest extends unknown[], Result>(
  what: What,
  act: (person: SettingUp<What>, ...rest: Rest) => Promise<Result>,
) {
  return async (...rest: Rest): Promise<Result> => act(await requireSettingUp(what), ...rest);
}
