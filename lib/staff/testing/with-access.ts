import {
  listStaff as listStaffWith,
  changeStaff as changeStaffWith,
  createStaff as createStaffWith,
} from "@/lib/staff/server/staff";
import { byStaff } from "@/lib/platform/access/testing/asking";

/** A person's actions, with the access check that their route makes. */
export const changeStaff = byStaff("staff.manage", changeStaffWith);
export const createStaff = byStaff("staff.manage", createStaffWith);
export const listStaff = byStaff("staff.manage", listStaffWith);
