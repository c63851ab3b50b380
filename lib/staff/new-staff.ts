import { staffRoles } from "@/lib/access/roles";
import * as z from "zod/mini";

/** What `POST /api/staff` takes. The address is kept in lower case, as people are found by it. */
export const newStaffSchema = z.strictObject({
  email: z
    .string("not_text")
    .check(z.trim(), z.toLowerCase(), z.maxLength(320, "too_long"), z.email("not_an_email")),
  name: z
    .string("not_text")
    .check(z.trim(), z.minLength(1, "required"), z.maxLength(200, "too_long")),
  role: z.enum(staffRoles, "not_offered"),
});

export type NewStaff = z.infer<typeof newStaffSchema>;
