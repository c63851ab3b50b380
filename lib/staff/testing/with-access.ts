import { listStaff as listStaffWith } from "@/lib/staff/server/stored-person";
import { byStaff } from "@/lib/platform/access/testing/asking";
import { changeStaff as changeStaffWith } from "@/lib/staff/server/change-staff";
import { createStaff as createStaffWith } from "@/lib/staff/server/create-staff";

/** A person's actions, with the access check that their route makes. */
export const changeStaff = byStaff("staff.manage", changeStaffWith);
export const createStaff = byStaff("staff.manage", createStaffWith);
export const listStaff = byStaff("staff.manage", listStaffWith);
