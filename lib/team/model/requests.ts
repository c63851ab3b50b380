import { partnerRoles } from "@/lib/platform/access/model/roles";
import {
  code,
  emailField,
  missingOr,
  nameField,
  notExpectedObject,
} from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

const role = z.enum(partnerRoles, { error: missingOr("not_offered") });

const name = nameField(100);

/** The body of `POST /api/partners/{partner}/members`. */
export const inviteSchema = z.strictObject(
  { email: emailField, role, name: z.optional(name) },
  { error: notExpectedObject },
);
export type Invite = z.infer<typeof inviteSchema>;

/** The body of `POST /api/partners/{partner}/first-admin`. */
export const firstAdminSchema = z.strictObject(
  { email: emailField, name: z.optional(name) },
  { error: notExpectedObject },
);
export type FirstAdmin = z.infer<typeof firstAdminSchema>;

/** The body of `PATCH /api/partners/{partner}/members/{member}`. */
export const roleChangeSchema = z.strictObject({ role }, { error: notExpectedObject });

/**
 * The body of `PATCH /api/partners/{partner}/four-eyes`: the desired state. `asked`: whether the person saw a request to
 * switch it off.
 */
export const fourEyesSchema = z.strictObject(
  {
    on: z.boolean({ error: missingOr("not_offered") }),
    asked: z.optional(z.boolean({ error: code("not_offered") })),
  },
  { error: notExpectedObject },
);

/** The body of `POST /api/partners/{partner}/alert-addresses`. */
export const alertAddressSchema = z.strictObject(
  { address: emailField },
  { error: notExpectedObject },
);
export type NewAlertAddress = z.infer<typeof alertAddressSchema>;

/** Longer than any valid token: only the database can validate it. */
const token = z
  .string({ error: missingOr("not_text") })
  .check(z.maxLength(100, { error: code("too_long") }));

/** The body of `POST /api/invitations/look`; without a token, for the newest invitation to the signed-in person. */
export const previewRequestSchema = z.strictObject(
  { token: z.optional(token) },
  { error: notExpectedObject },
);

/**
 * The body of `POST /api/invitations/accept`; a new person also chooses a name and a password. `id`: the invitation
 * that was shown without a token; neither another person's nor a newer one is accepted instead.
 */
export const acceptSchema = z.strictObject(
  {
    token: z.optional(token),
    id: z.optional(token),
    person: z.optional(
      z.strictObject(
        {
          name,
          password: z
            .string({ error: missingOr("not_text") })
            .check(z.maxLength(1_000, { error: code("too_long") })),
        },
        { error: notExpectedObject },
      ),
    ),
  },
  { error: notExpectedObject },
);
export type Accept = z.infer<typeof acceptSchema>;

/** The body of `POST /api/alert-addresses/confirm`. */
export const confirmAddressSchema = z.strictObject({ token }, { error: notExpectedObject });
