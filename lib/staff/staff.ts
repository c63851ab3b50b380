import { staffRoles } from "@/lib/access/roles";
import * as z from "zod/mini";

/** The dashboard's own answers about its staff, parsed in the browser and built on the server. */
const person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(staffRoles),
  /** Cannot sign in. */
  disabled: z.boolean(),
  /** Has chosen a password; without one, single sign-on is the only way in. */
  passwordSet: z.boolean(),
  /** The person who is asking. */
  you: z.boolean(),
});

export type StaffPerson = z.infer<typeof person>;

/** `POST /api/staff`, and `POST /api/staff/{person}/link`. The link is in no other answer, and nowhere in the database. */
export const issuedLinkSchema = z.object({ person, link: z.string() });
export type IssuedLink = z.infer<typeof issuedLinkSchema>;

/** `PATCH /api/staff/{person}`: its body, and its answer. */
export const staffChangeSchema = z.strictObject({ disabled: z.boolean("not_offered") });
export type StaffChange = z.infer<typeof staffChangeSchema>;
export const changedStaffSchema = z.object({ person });
