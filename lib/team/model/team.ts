import { linkDelivery } from "@/lib/platform/mail/model/link-delivery";
import * as z from "zod/mini";
import { partnerRoles } from "@/lib/platform/access/model/roles";

/**
 * The dashboard's own answers about people, parsed in the browser and built on the server. Timestamps are ISO 8601,
 * UTC.
 */
const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(partnerRoles),
  since: z.string(),
  /** The viewer. */
  you: z.boolean(),
  /** The name of the sign-in provider that decides this membership; null: the admins here do. */
  managedBy: z.nullable(z.string()),
});

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  name: z.nullable(z.string()),
  role: z.enum(partnerRoles),
  invitedAt: z.string(),
  /** The inviting person's name; null: the operator's import. */
  invitedBy: z.nullable(z.string()),
  expiresAt: z.string(),
  expired: z.boolean(),
  /** The link no longer works, since the inviting person may not invite any more. */
  inviterLeft: z.boolean(),
});

/** Whether production addresses take two people to change, and what prevents that. */
const fourEyes = z.object({
  /** The operator requires it of all partners; then nobody here switches it. */
  required: z.boolean(),
  /** Two people here could approve each other's changes. */
  hasSecondPerson: z.boolean(),
  /** Null: it is off, or required. */
  on: z.nullable(z.object({ since: z.string(), by: z.string() })),
  /** An admin's request to switch it off, which a second one has to approve. */
  offAsked: z.nullable(
    z.object({
      by: z.string(),
      you: z.boolean(),
      /** The viewer counts as a second person, and its author is still an admin. */
      mayAgree: z.boolean(),
      expiresAt: z.string(),
    }),
  ),
  /** The number of admins; switching it on takes two. */
  admins: z.number(),
  /** Names of admins who count as a second person besides the viewer. */
  secondAdmins: z.array(z.string()),
  /** When and why the operator of the installation lifted it; null: it was not lifted. */
  lifted: z.nullable(z.object({ at: z.string(), reason: z.nullable(z.string()) })),
  /** The production environments, which it applies to; may be none. */
  environments: z.array(z.string()),
});

/** For each partner. */
export const mostAlertAddresses = 5;

/** A group's mailbox that gets what admins get about the webhooks. */
const alertAddress = z.object({
  id: z.string(),
  address: z.string(),
  addedBy: z.object({ id: z.string(), name: z.string() }),
  /** `expired`: the link that confirms it. */
  state: z.enum(["waiting", "expired", "confirmed"]),
  /** Since when the mail server takes no mail to it. */
  failingSince: z.nullable(z.string()),
});
export type AlertAddress = z.infer<typeof alertAddress>;

/** `POST /api/partners/{partner}/alert-addresses`. */
export const addedAddressSchema = z.object({ mail: linkDelivery });

/** `POST /api/alert-addresses/confirm`. `partner`: its name. */
export const confirmedAddressSchema = z.object({ address: z.string(), partner: z.string() });
export type ConfirmedAddress = z.infer<typeof confirmedAddressSchema>;

/** `GET /api/partners/{partner}/members`. */
export const teamSchema = z.object({
  partner: z.string(),
  members: z.array(member),
  /** Neither accepted nor revoked, the newest first. */
  invitations: z.array(invitation),
  /** The name of the sign-in provider whose claim alone decides who joins; null: people are invited. */
  joinsBy: z.nullable(z.string()),
  fourEyes,
  alertAddresses: z.array(alertAddress),
  /** Whether this installation sends mail. */
  mail: z.boolean(),
});

/** `POST /api/partners/{partner}/members`. */
export const invitedSchema = z.object({ invitation, mail: linkDelivery });

/** What the holder of a link sees of it. */
export const offerSchema = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("open"),
    id: z.string(),
    partner: z.string(),
    role: z.enum(partnerRoles),
    email: z.string(),
    name: z.nullable(z.string()),
    invitedBy: z.nullable(z.string()),
    expiresAt: z.string(),
    /**
     * Who is signed in: `invited` has the invitation's address, `other` has another one, `staff` cannot belong to a
     * partner; `signed_out` signs in, or chooses a name and a password. The answer does not say which of the two: the
     * inviting person may have the link, and must not learn whether the address has an account.
     */
    you: z.enum(["invited", "other", "staff", "signed_out"]),
  }),
  z.object({ state: z.enum(["expired", "used", "revoked"]) }),
]);

/** `POST /api/invitations/accept`. */
export const acceptedSchema = z.object({
  /** The address to sign in with. */
  email: z.string(),
  /** The partner's first page. */
  path: z.string(),
});

export type Team = z.infer<typeof teamSchema>;
export type FourEyes = z.infer<typeof fourEyes>;
export type Member = z.infer<typeof member>;
export type Invitation = z.infer<typeof invitation>;
export type Invited = z.infer<typeof invitedSchema>;
export type Offer = z.infer<typeof offerSchema>;
export type Accepted = z.infer<typeof acceptedSchema>;
