import { staffRoles } from "@/lib/platform/access/model/roles";
import { linkDelivery } from "@/lib/platform/mail/model/link-delivery";
import * as z from "zod/mini";
import {
  emailField,
  missingOr,
  nameField,
  notExpectedObject,
} from "@/lib/platform/http/model/request-fields";

/** The dashboard's own answers about its staff, parsed in the browser and built on the server. */
const person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(staffRoles),
  /** Cannot sign in. */
  disabled: z.boolean(),
  /** Has not chosen a password or used single sign-on yet. */
  waiting: z.boolean(),
  /** The viewer. */
  you: z.boolean(),
});

export type StaffPerson = z.infer<typeof person>;

/** `POST /api/staff`. */
export const addedStaffSchema = z.object({ person, mail: linkDelivery });
export type AddedStaff = z.infer<typeof addedStaffSchema>;

/** `PATCH /api/staff/{person}`: its body, and its answer. */
export const staffChangeSchema = z.strictObject({ disabled: z.boolean("not_offered") });
export type StaffChange = z.infer<typeof staffChangeSchema>;
export const changedStaffSchema = z.object({ person });

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
