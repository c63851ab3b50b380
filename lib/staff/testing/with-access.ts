import { byStaff } from "@/lib/platform/access/testing/asking";
import * as staff from "@/lib/staff/server/staff";

/** A person's actions, with the access check that their route makes. */
export const changeStaff = byStaff("staff.manage", staff.changeStaff);
export const createStaff = byStaff("staff.manage", staff.createStaff);
export const listStaff = byStaff("staff.manage", staff.listStaff);
