import "server-only";
import type { StaffAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { StaffPerson } from "@/lib/staff/model/staff";
import { storedStaff } from "./stored-person";

export async function listStaff({ viewer }: StaffAccess<"staff.manage">): Promise<StaffPerson[]> {
  return storedStaff(db(), viewer.id);
}
