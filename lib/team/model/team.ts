import * as z from "zod/mini";
import { partnerRoles } from "@/lib/platform/access/model/roles";

/**
 * The dashboard's own answers about people, parsed in the browser and built on the server. Moments are ISO 8601, UTC.
 */
const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(partnerRoles),
  since: z.string(),
  /** The person who is asking. */
  you: z.boolean(),
  /** Has not shown that the address is theirs, and so does not count as a second person. */
  unproven: z.boolean(),
  /** Whether an admin can make them a link to choose another password. */
  link: z.boolean(),
});

/** `POST /api/partners/{partner}/members/{member}/link`. The link is in no other answer. */
export const memberLinkSchema = z.object({ link: z.string() });
export type MemberLink = z.infer<typeof memberLinkSchema>;

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  name: z.nullable(z.string()),
  role: z.enum(partnerRoles),
  invitedAt: z.string(),
  /** The inviting person's name. */
  invitedBy: z.string(),
  expiresAt: z.string(),
  expired: z.boolean(),
});

/** Whether production addresses take two people to change, and what stands in the way of that. */
const fourEyes = z.object({
  /** Null: it is off. */
  on: z.nullable(z.object({ since: z.string(), by: z.string() })),
  /** An admin wants it off, and a second one has to agree. */
  offAsked: z.nullable(z.object({ by: z.string(), you: z.boolean(), expiresAt: z.string() })),
  /** How many admins count as people of their own; it takes two of them to switch it on. */
  admins: z.number(),
  /** Names of those whose agreement to switch it off counts beside that of the person who asks. */
  secondAdmins: z.array(z.string()),
  /** Since when it is off because whoever runs the installation lifted it, and why; null: nobody did. */
  lifted: z.nullable(z.object({ at: z.string(), reason: z.nullable(z.string()) })),
  /** Those that the rule is about; none where the operator has called none so. */
  environments: z.array(z.string()),
});

/** `GET /api/partners/{partner}/members`. */
export const teamSchema = z.object({
  partner: z.string(),
  members: z.array(member),
  /** Neither accepted nor revoked, the newest first. */
  invitations: z.array(invitation),
  fourEyes,
});

/** `POST /api/partners/{partner}/members`. A link is in no other answer, and nowhere in the database. */
export const invitedSchema = z.object({
  invitation,
  /** For handing over; null where it goes to the address by mail, and to nobody else. */
  link: z.nullable(z.string()),
  /** Whether the link was sent by mail: `off` where the operator has set up none. */
  mail: z.enum(["sent", "failed", "off"]),
});

/** What the holder of a link is told of it. */
export const offerSchema = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("open"),
    partner: z.string(),
    role: z.enum(partnerRoles),
    email: z.string(),
    name: z.nullable(z.string()),
    invitedBy: z.string(),
    expiresAt: z.string(),
    /**
     * Who is asking: `invited` is signed in with the invitation's address, `other` with another one, `staff` cannot be
     * part of a partner; `signed_out` signs in, or chooses a name and a password. Which of the two is not said: the
     * inviting person may have the link, and is not told whether the address has an account.
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
