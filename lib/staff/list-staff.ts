import "server-only";
import { requireStaff } from "@/lib/access/require";
import { db } from "@/lib/db/open";
import type { StaffPerson } from "./staff";
import { storedStaff } from "./stored-person";

/** Throws the problems of `requireStaff`. */
export async function listStaff(): Promise<StaffPerson[]> {
  const viewer = await requireStaff("staff.manage");
  return storedStaff(db(), viewer.id);
}
