import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import { kind, saveStates } from "./kind";
import { peopleKinds } from "./people-entry";
import { webhookChangeSchema, webhookVersionSchema } from "./webhook-change";

const person = z.object({ id: z.string(), name: z.string() });

/** A change that waited for a second person. */
const proposal = z.object({ id: z.string(), author: person });

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
  /**
   * What the service answered to that save's write, for each type, or that nothing was sent. `problem`: the code of why
   * it was not sent, not accepted or not answered.
   */
  save_sent: kind({
    detail: z.object({
      saveId: z.string(),
      changes: z.array(webhookChangeSchema),
      problem: z.nullable(z.string()),
      proposal: z.optional(proposal),
    }),
    about: "webhooks",
    outcomes: saveStates,
    icon: { accepted: "out", unchanged: "same", unclear: "unclear", else: "not" },
    tone: { accepted: "neutral", unchanged: "neutral", unclear: "warn", else: "bad" },
  }),
  /** A look first showed what that save had asked for, or its address. `late`: after its time. */
  save_shown: kind({
    detail: z.object({
      saveId: z.string(),
      changes: z.array(webhookChangeSchema),
      late: z.optional(z.literal(true)),
      proposal: z.optional(proposal),
    }),
    about: "webhooks",
    outcomes: ["saved", "partly"],
    icon: { saved: "done", else: "warning" },
    tone: { saved: "ok", else: "warn" },
  }),
  /** The first look after its time did not show it, nor did any before. `lookedAt`: that look, in milliseconds. */
  save_not_shown: kind({
    detail: z.object({
      saveId: z.string(),
      changes: z.array(webhookChangeSchema),
      lookedAt: z.number(),
      proposal: z.optional(proposal),
    }),
    about: "webhooks",
    outcomes: ["not_shown"],
    icon: "late",
    tone: "bad",
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
   * The list showed something else than before, which no save here asked for. `lastLookedAt`: the last look that showed
   * the state before, in milliseconds. `askedBy`: an earlier save asked for exactly what is shown. `isLast`: further
   * ones within this hour have no entry.
   */
  changed_outside: kind({
    detail: z.object({
      changes: z.array(webhookChangeSchema),
      lastLookedAt: z.number(),
      askedBy: z.optional(z.object({ saveId: z.string(), at: z.number(), author: person })),
      isLast: z.optional(z.boolean()),
    }),
    about: "webhooks",
    icon: "warning",
    tone: "warn",
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
   * An incident is over: what was registered is restored, exposed values and credentials are replaced. `startedAt`: the
   * look that first told it, in milliseconds. `note`: what the person wrote about it.
   */
  incident_closed: kind({
    detail: z.object({ startedAt: z.number(), note: z.string() }),
    about: "webhooks",
    icon: "shield",
    tone: "ok",
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
    tone: {
      accepts_only_with: "ok",
      accepts_with: "neutral",
      refuses_without: "neutral",
      answers_differ: "neutral",
      client_certificate: "neutral",
      accepts_without: "bad",
      else: "warn",
    },
  }),

  /** Whether Gancho checks an endpoint every day by itself. Such a check has an entry where the result is news. */
  daily_check_switched: kind({
    detail: z.object({}),
    about: "endpoint",
    icon: "endpoint",
    outcomes: ["on", "off"],
  }),

  /** An address of Gancho's own received for the type, until `expiresAt` (milliseconds) at the latest. */
  capture_switched: kind({
    detail: z.object({ expiresAt: z.optional(z.number()) }),
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
      /** Why the operator of the installation replaced them. */
      reason: z.optional(z.string()),
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
  /**
   * `replaced`: a newer link for the same address took its place. `claimed`: whoever made it lost the right to invite by
   * the provider's claim.
   */
  invitation_revoked: kind({
    detail: z.extend(invitation, {
      replaced: z.boolean(),
      claimed: z.optional(z.literal(true)),
    }),
    about: "team",
    icon: "mailOff",
  }),
  /** `role`: what they have from then on. `already`: they had it before, and the invitation gave them nothing. */
  invitation_accepted: kind({
    detail: z.extend(invitation, {
      userId: z.string(),
      already: z.optional(z.literal(true)),
    }),
    about: "team",
    icon: "mailRead",
  }),
  member_role_changed: kind({
    detail: z.extend(member, { before: role, after: role }),
    about: "team",
    icon: "role",
  }),
  /** They changed their own name, by which every entry shows them; `formerName` names the row that keeps the old one. */
  member_renamed: kind({
    detail: z.object({ userId: z.string(), formerName: z.string(), before: z.string() }),
    about: "team",
    icon: "person",
  }),
  /**
   * The provider's claim decided it at their sign-in; null: no member. The same role before and after: it decides from
   * then on about a membership that an invitation gave.
   */
  membership_claimed: kind({
    detail: z.extend(member, { before: z.nullable(role), after: z.nullable(role) }),
    about: "team",
    icon: "role",
  }),
  member_removed: kind({ detail: z.extend(member, { role }), about: "team", icon: "personOff" }),
  member_left: kind({ detail: z.extend(member, { role }), about: "team", icon: "personOff" }),

  /** A group's mailbox that gets what admins get about the webhooks, once somebody who reads it confirms that. */
  alert_address_added: kind({
    detail: z.object({ address: z.string() }),
    about: "team",
    icon: "mail",
  }),
  /** By whoever has its link. */
  alert_address_confirmed: kind({
    detail: z.object({ address: z.string() }),
    about: "team",
    icon: "mailRead",
  }),
  alert_address_removed: kind({
    detail: z.object({ address: z.string() }),
    about: "team",
    icon: "mailOff",
  }),

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
