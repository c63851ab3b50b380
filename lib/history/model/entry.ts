import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import { peopleDetail } from "./people-entry";
import { webhookChangeSchema, webhookVersionSchema } from "./webhook-change";

/** A change that waited for a second person. */
const proposal = z.object({
  id: z.string(),
  author: z.object({ id: z.string(), name: z.string() }),
});

/** One type of such a change: it has no outcome yet. */
const proposedChange = z.pick(webhookChangeSchema, { type: true, before: true, after: true });

const role = z.enum(["viewer", "editor", "admin"]);
const member = z.object({ userId: z.string(), name: z.string(), email: z.string() });
const invitation = z.object({ invitationId: z.string(), email: z.string(), role });

/**
 * What each kind of entry carries besides its columns; never a secret. A new kind does not compile until each table by
 * kind has it; CONTRIBUTING.md lists them under "History kind".
 */
export const historyDetail = {
  /** Somebody pressed save; nothing was sent yet. */
  save_attempt: z.object({
    saveId: z.string(),
    wishes: z.array(z.object({ type: z.enum(webhookTypes), wish: webhookVersionSchema })),
    /** Where it applies somebody else's proposal; the actor is the approver. */
    proposal: z.optional(proposal),
  }),
  /** The state of that save, after reading back. `reason` is a problem code. */
  save: z.object({
    saveId: z.string(),
    changes: z.array(webhookChangeSchema),
    reason: z.nullable(z.string()),
    /** The outcome before this entry corrected or ended it. */
    earlier: z.optional(z.string()),
    proposal: z.optional(proposal),
  }),
  /** A change was stored for a second person to approve; nothing was sent. `expiresAt` in milliseconds. */
  proposal_made: z.object({
    proposal,
    changes: z.array(proposedChange),
    reason: z.nullable(z.string()),
    expiresAt: z.number(),
  }),
  /**
   * A proposal ended; the outcome says how, and `reason` is what the person who ended it wrote to its author. An
   * approved one continues in a save of its own.
   */
  proposal_ended: z.object({ proposal, reason: z.optional(z.string()) }),
  /**
   * The rule that production takes two people. `asker`: whose request to switch it off was agreed to or not. `reason`:
   * why the operator of the installation lifted it.
   */
  four_eyes_changed: z.object({
    asker: z.nullable(z.string()),
    askerId: z.optional(z.string()),
    reason: z.optional(z.string()),
  }),

  /**
   * The service held something else than at Gancho's last reading. `gathered`: so many changes since then
   * (milliseconds), which this entry sums up. `isLast`: within this hour, further ones are reported together.
   */
  changed_outside: z.object({
    changes: z.array(webhookChangeSchema),
    gathered: z.optional(z.object({ since: z.number(), count: z.number() })),
    isLast: z.optional(z.boolean()),
  }),

  /**
   * The service shows what a save had set, after it had shown something else: somebody restored it, or the version in
   * between came from a lagging replica.
   */
  shown_again: z.object({ changes: z.array(webhookChangeSchema) }),

  /**
   * Somebody said that such a change was theirs; the difference spans from before the first to after the last of
   * several.
   */
  outside_acknowledged: z.object({ changes: z.array(webhookChangeSchema) }),

  /**
   * A person requested an Authorization value; the outcome says whether it was shown. `problem` is the code of why the
   * service could not be read.
   */
  authorization_reveal: z.object({
    fingerprint: z.nullable(z.string()),
    problem: z.nullable(z.string()),
  }),

  /**
   * Gancho sent its own messages to an address; the outcome is the verdict. `typed`: a typed address, not the
   * registered one. `sent`: whether one carried the registered value, a typed one, or none.
   */
  endpoint_checked: z.object({
    url: z.string(),
    typed: z.boolean(),
    sent: z.nullable(z.enum(["registered", "typed"])),
  }),

  /**
   * The credentials of an environment were set up or replaced. `check` is the problem code they were saved in spite of.
   */
  connection_changed: z.object({
    clientIdBefore: z.nullable(z.string()),
    clientIdAfter: z.string(),
    secretReplaced: z.boolean(),
    check: z.nullable(z.string()),
    /** Where it applies somebody else's proposal; the actor is the approver. */
    proposal: z.optional(proposal),
  }),
  /** New credentials were stored for a second admin to approve; those in use stay. `expiresAt` in milliseconds. */
  connection_proposal_made: z.object({
    proposal,
    clientIdBefore: z.string(),
    clientIdAfter: z.string(),
    secretReplaced: z.boolean(),
    /** The problem code in spite of which they were proposed. */
    check: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    expiresAt: z.number(),
  }),
  /** That proposal ended; the outcome says how, and `reason` is what the person who ended it wrote to the author. */
  connection_proposal_ended: z.object({
    proposal,
    clientIdAfter: z.string(),
    reason: z.optional(z.string()),
  }),
  /** Credentials were tried: those in use, or a `candidate` that was refused. `problem` is a problem code, null when they work. */
  connection_checked: z.object({
    clientId: z.string(),
    candidate: z.boolean(),
    problem: z.nullable(z.string()),
  }),

  member_invited: invitation,
  /** `replaced`: a newer link for the same address took its place. */
  invitation_revoked: z.extend(invitation, { replaced: z.boolean() }),
  invitation_accepted: z.extend(invitation, { userId: z.string() }),
  member_role_changed: z.extend(member, { before: role, after: role }),
  member_removed: z.extend(member, { role }),
  /** An admin got a link with which this member chooses another password. */
  member_link_made: member,

  /** Support began to view the partner, for this reason; until `expiresAt` (milliseconds) unless it ended early. */
  support_view_opened: z.object({ viewId: z.string(), reason: z.string(), expiresAt: z.number() }),
  support_view_ended: z.object({ viewId: z.string() }),

  partner_created: z.object({ name: z.string() }),
  partner_renamed: z.object({ before: z.string(), after: z.string() }),
  partner_suspended: z.object({}),
  partner_resumed: z.object({}),

  /**
   * The oldest entries, those up to the position `removed` with its seal, were removed, since they were older than the
   * history is kept. `newest`: when the last of them was made, in milliseconds.
   */
  entries_removed: z.object({
    removed: z.number(),
    seal: z.string(),
    newest: z.number(),
  }),

  /**
   * The operator of the installation restored a backup: the entries that this history had after the one before are
   * gone, and this entry has the position of the first of them.
   */
  history_restored: z.object({}),

  ...peopleDetail,
} as const;

export type HistoryKind = keyof typeof historyDetail;

export function isHistoryKind(kind: string): kind is HistoryKind {
  return Object.hasOwn(historyDetail, kind);
}

/** Kinds in the chain of the people of the installation; all others are in a partner's. */
export type PeopleKind = keyof typeof peopleDetail;

export type HistoryDetail = { [Kind in HistoryKind]: z.infer<(typeof historyDetail)[Kind]> };
