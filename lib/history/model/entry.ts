import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import { kind, saveOutcomes } from "./kind";
import { peopleKinds } from "./people-entry";
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

/** How a proposal can end. */
const endings = {
  outcomes: ["approved", "rejected", "withdrawn", "replaced", "expired"],
  icon: { approved: "done", rejected: "not", expired: "late", else: "undo" },
  tone: { approved: "ok", rejected: "bad", expired: "warn" },
} as const;

/**
 * The one table of kinds: each one's detail (never a secret), subject, possible outcomes and look. Its texts are
 * `timeline.kinds.KIND` in the messages; without them it does not compile.
 */
export const kinds = {
  /** Somebody pressed save; nothing was sent yet. */
  save_attempt: kind({
    detail: z.object({
      saveId: z.string(),
      desired: z.array(z.object({ type: z.enum(webhookTypes), state: webhookVersionSchema })),
      /** Where it applies somebody else's proposal; the actor is the approver. */
      proposal: z.optional(proposal),
    }),
    about: "webhooks",
    icon: "wait",
  }),
  /** The state of that save, after reading back. `problem`: the code of why it did not succeed. */
  save: kind({
    detail: z.object({
      saveId: z.string(),
      changes: z.array(webhookChangeSchema),
      problem: z.nullable(z.string()),
      /** The outcome before this entry corrected or ended it. */
      earlier: z.optional(z.string()),
      proposal: z.optional(proposal),
    }),
    about: "webhooks",
    outcomes: saveOutcomes,
    icon: {
      saved: "done",
      unchanged: "same",
      partial: "warning",
      not_saved: "not",
      unknown: "unclear",
      overtaken: "undo",
      not_applied: "late",
      else: "wait",
    },
    tone: {
      saved: "ok",
      unchanged: "neutral",
      not_saved: "bad",
      not_applied: "bad",
      else: "warn",
    },
  }),
  /** A change was stored for a second person to approve; nothing was sent. `expiresAt` in milliseconds. */
  proposal_made: kind({
    detail: z.object({
      proposal,
      changes: z.array(proposedChange),
      reason: z.nullable(z.string()),
      expiresAt: z.number(),
    }),
    about: "webhooks",
    icon: "wait",
  }),
  /**
   * A proposal ended; the outcome says how, and `reason` is what the person who ended it wrote to its author. An
   * approved one continues in a save of its own.
   */
  proposal_ended: kind({
    detail: z.object({ proposal, reason: z.optional(z.string()) }),
    about: "webhooks",
    ...endings,
  }),
  /**
   * Four-eyes approval of production changes. `asker`: who requested to switch it off, where a second person decided.
   * `reason`: why the operator of the installation lifted it.
   */
  four_eyes_changed: kind({
    detail: z.object({
      asker: z.nullable(z.string()),
      askerId: z.optional(z.string()),
      reason: z.optional(z.string()),
    }),
    about: "team",
    icon: "people",
    outcomes: ["on", "off", "off_asked", "kept", "lifted"],
    tone: { off: "warn", off_asked: "warn", lifted: "warn" },
  }),

  /**
   * The service's configuration differed from Gancho's last reading. `gathered`: this entry sums up `count` changes
   * made since `since` (milliseconds). `isLast`: further ones within this hour are reported together.
   */
  changed_outside: kind({
    detail: z.object({
      changes: z.array(webhookChangeSchema),
      gathered: z.optional(z.object({ since: z.number(), count: z.number() })),
      isLast: z.optional(z.boolean()),
    }),
    about: "webhooks",
    icon: "warning",
    tone: "warn",
  }),

  /**
   * The service shows what a save had set, after it had shown something else: somebody restored it, or the version in
   * between came from a lagging replica.
   */
  shown_again: kind({
    detail: z.object({ changes: z.array(webhookChangeSchema) }),
    about: "webhooks",
    icon: "undo",
  }),

  /**
   * Somebody acknowledged such a change as theirs. For several, `before` is that of the first and `after` that of the
   * last.
   */
  outside_acknowledged: kind({
    detail: z.object({ changes: z.array(webhookChangeSchema) }),
    about: "webhooks",
    icon: "person",
  }),

  /**
   * A person requested an Authorization value; the outcome says whether it was shown. `problem` is the code of why the
   * service could not be read.
   */
  authorization_reveal: kind({
    detail: z.object({
      fingerprint: z.nullable(z.string()),
      problem: z.nullable(z.string()),
    }),
    about: "access",
    outcomes: [
      "revealed",
      "not_allowed",
      "not_read",
      "not_set",
      "not_registered",
      "conflicting_values",
      "not_shown",
    ],
    icon: {
      revealed: "eye",
      not_allowed: "personOff",
      else: "eyeOff",
    },
    tone: { not_allowed: "bad", not_read: "bad" },
  }),

  /**
   * Gancho sent its own messages to an address; the outcome is the verdict. `typed`: a typed address, not the
   * registered one. `sent`: whether one carried the registered value, a typed one, or none.
   */
  endpoint_checked: kind({
    detail: z.object({
      url: z.string(),
      typed: z.boolean(),
      sent: z.nullable(z.enum(["registered", "typed"])),
    }),
    about: "endpoint",
    icon: "endpoint",
    tone: { enforced: "ok", refuses_without: "neutral", unclear: "neutral", else: "bad" },
  }),

  /** Whether Gancho checks an endpoint every day by itself. Such a check has an entry where the result is news. */
  daily_check_switched: kind({
    detail: z.object({}),
    about: "endpoint",
    icon: "endpoint",
    outcomes: ["on", "off"],
  }),

  /**
   * The credentials of an environment were set up or replaced. `check` is the problem code they were saved in spite of.
   */
  connection_changed: kind({
    detail: z.object({
      clientIdBefore: z.nullable(z.string()),
      clientIdAfter: z.string(),
      secretReplaced: z.boolean(),
      check: z.nullable(z.string()),
      /** Where it applies somebody else's proposal; the actor is the approver. */
      proposal: z.optional(proposal),
    }),
    about: "connection",
    icon: "plug",
  }),
  /** New credentials were stored for a second admin to approve; those in use stay. `expiresAt` in milliseconds. */
  connection_proposal_made: kind({
    detail: z.object({
      proposal,
      clientIdBefore: z.string(),
      clientIdAfter: z.string(),
      secretReplaced: z.boolean(),
      /** The problem code despite which they were proposed. */
      check: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      expiresAt: z.number(),
    }),
    about: "connection",
    icon: "wait",
  }),
  /** That proposal ended; the outcome says how, and `reason` is what the person who ended it wrote to the author. */
  connection_proposal_ended: kind({
    detail: z.object({
      proposal,
      clientIdAfter: z.string(),
      reason: z.optional(z.string()),
    }),
    about: "connection",
    ...endings,
  }),
  /**
   * Credentials were tried: those in use, or a `candidate` that was not put in use. `problem` is a problem code, null
   * when they work.
   */
  connection_checked: kind({
    detail: z.object({
      clientId: z.string(),
      candidate: z.boolean(),
      problem: z.nullable(z.string()),
    }),
    about: "connection",
    outcomes: ["works", "failed"],
    icon: { works: "plug", else: "plugOff" },
    tone: { works: "ok", else: "bad" },
  }),

  member_invited: kind({ detail: invitation, about: "team", icon: "mail" }),
  /** `replaced`: a newer link for the same address took its place. */
  invitation_revoked: kind({
    detail: z.extend(invitation, { replaced: z.boolean() }),
    about: "team",
    icon: "mailOff",
  }),
  invitation_accepted: kind({
    detail: z.extend(invitation, { userId: z.string() }),
    about: "team",
    icon: "mailRead",
  }),
  member_role_changed: kind({
    detail: z.extend(member, { before: role, after: role }),
    about: "team",
    icon: "role",
  }),
  member_removed: kind({ detail: z.extend(member, { role }), about: "team", icon: "personOff" }),

  /** Support began to view the partner, for this reason; until `expiresAt` (milliseconds) unless it ended early. */
  support_view_opened: kind({
    detail: z.object({ viewId: z.string(), reason: z.string(), expiresAt: z.number() }),
    about: "access",
    icon: "support",
  }),
  support_view_ended: kind({
    detail: z.object({ viewId: z.string() }),
    about: "access",
    icon: "support",
  }),

  partner_created: kind({
    detail: z.object({ name: z.string() }),
    about: "partner",
    icon: "partner",
  }),
  partner_renamed: kind({
    detail: z.object({ before: z.string(), after: z.string() }),
    about: "partner",
    icon: "partner",
  }),
  partner_suspended: kind({ detail: z.object({}), about: "partner", icon: "partner" }),
  partner_resumed: kind({ detail: z.object({}), about: "partner", icon: "partner" }),

  /**
   * The oldest entries were removed at the end of their retention: up to position `removed`, whose seal was `seal`.
   * `newest`: when the last of them was made, in milliseconds.
   */
  entries_removed: kind({
    detail: z.object({
      removed: z.number(),
      seal: z.string(),
      newest: z.number(),
    }),
    about: "partner",
    icon: "archive",
  }),

  /**
   * The operator of the installation restored a backup. Entries made after it are lost; this entry takes the position
   * of the first of them.
   */
  history_restored: kind({ detail: z.object({}), about: "partner", icon: "backup", tone: "warn" }),

  ...peopleKinds,
} as const;

export type HistoryKind = keyof typeof kinds;

export function isHistoryKind(kind: string): kind is HistoryKind {
  return Object.hasOwn(kinds, kind);
}

export const historyKinds = Object.keys(kinds) as HistoryKind[];

/** Kinds in the chain of the people of the installation; all others are in a partner's. */
export type PeopleKind = keyof typeof peopleKinds;

/** The schema of each kind's detail. */
export const historyDetail = Object.fromEntries(
  historyKinds.map((kind) => [kind, kinds[kind].detail]),
) as { [Kind in HistoryKind]: (typeof kinds)[Kind]["detail"] };

export type HistoryDetail = { [Kind in HistoryKind]: z.infer<(typeof kinds)[Kind]["detail"]> };
