import { staffRoles } from "@/lib/platform/access/model/roles";
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
  /**
   * `active`: can sign in and, where that can be proved, has proved that the address is theirs. `unproven`: has not,
   * and is no staff until then. `waiting`: cannot sign in yet.
   */
  standing: z.enum(["active", "unproven", "waiting"]),
  /** How a link to choose a password would reach them; null: they get none. */
  link: z.nullable(z.enum(["mail", "hand"])),
  /** The viewer. */
  you: z.boolean(),
});

export type StaffPerson = z.infer<typeof person>;

/** `POST /api/staff`, and `POST /api/staff/{person}/link`. A link is in no other answer, and nowhere in the database. */
export const issuedLinkSchema = z.object({
  person,
  /** For handing over; null where it is mailed, or where they sign in at their provider and there is none. */
  link: z.nullable(z.string()),
  /** `off`: the operator has set up none. */
  mail: z.enum(["sent", "failed", "off"]),
});
export type IssuedLink = z.infer<typeof issuedLinkSchema>;

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
