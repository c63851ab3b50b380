import { staffRoles } from "@/lib/platform/access/model/roles";
import {
  emailField,
  missingOr,
  nameField,
  notExpectedObject,
} from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/** What `POST /api/staff` and `create-operator` take. */
export const newStaffSchema = z.strictObject(
  {
    email: emailField,
    name: nameField(200),
    role: z.enum(staffRoles, { error: missingOr("not_offered") }),
  },
  { error: notExpectedObject },
);

export type NewStaff = z.infer<typeof newStaffSchema>;
