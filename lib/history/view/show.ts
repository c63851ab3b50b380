import type { HistoryKind } from "../entry";

/** What an entry is about. Every kind has its place. */
const subjects = {
  save_attempt: "webhooks",
  save: "webhooks",
  proposal_made: "webhooks",
  proposal_ended: "webhooks",
  four_eyes_changed: "team",
  changed_outside: "webhooks",
  authorization_reveal: "access",
  connection_changed: "connection",
  connection_checked: "connection",
  member_invited: "team",
  invitation_revoked: "team",
  invitation_accepted: "team",
  member_role_changed: "team",
  member_removed: "team",
  support_view_opened: "access",
  support_view_ended: "access",
  partner_created: "partner",
  partner_renamed: "partner",
  partner_suspended: "partner",
  partner_resumed: "partner",
} as const satisfies Record<HistoryKind, string>;

type Subject = (typeof subjects)[HistoryKind];

/** The parts of a history that can be looked at alone. Left out: everything but attempts whose end is recorded. */
export const shows = [
  "changes",
  "failures",
  "outside",
  "access",
  "connection",
  "team",
  "partner",
  "every",
] as const;
export type Show = (typeof shows)[number];

/** The entries that belong to a part. Without `kinds`: all; without `outcomes`: whatever it was. */
type Part = { kinds?: readonly string[]; outcomes?: readonly string[] };

export const parts: Record<Show, Part> = {
  /** What is in effect at the service since. */
  changes: { kinds: ["save", "changed_outside"], outcomes: ["saved", "partial", "seen"] },
  failures: { kinds: ["save"], outcomes: ["partial", "not_saved", "unknown"] },
  outside: { kinds: ["changed_outside"] },
  access: { kinds: about("access") },
  connection: { kinds: about("connection") },
  team: { kinds: about("team") },
  partner: { kinds: about("partner") },
  every: {},
};

function about(subject: Subject): string[] {
  return Object.entries(subjects).flatMap(([kind, its]) => (its === subject ? [kind] : []));
}
