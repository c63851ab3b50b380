import "server-only";
import { requireStaff } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { StaffPerson } from "@/lib/staff/model/staff";
import { storedStaff } from "./stored-person";

/** Throws the problems of `requireStaff`. */
export async function listStaff(): Promise<StaffPerson[]> {
  const viewer = await requireStaff("staff.manage");
  return storedStaff(db(), viewer.id);
}
