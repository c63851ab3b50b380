import type { HistoryKind } from "./entry";

/** What an entry is about. Every kind has its place. */
const subjects = {
  save_attempt: "webhooks",
  save: "webhooks",
  proposal_made: "webhooks",
  proposal_ended: "webhooks",
  four_eyes_changed: "team",
  changed_outside: "webhooks",
  shown_again: "webhooks",
  outside_acknowledged: "webhooks",
  authorization_reveal: "access",
  endpoint_checked: "endpoint",
  connection_changed: "connection",
  connection_checked: "connection",
  connection_proposal_made: "connection",
  connection_proposal_ended: "connection",
  member_invited: "team",
  invitation_revoked: "team",
  invitation_accepted: "team",
  member_role_changed: "team",
  member_removed: "team",
  member_link_made: "team",
  support_view_opened: "access",
  support_view_ended: "access",
  partner_created: "partner",
  partner_renamed: "partner",
  partner_suspended: "partner",
  partner_resumed: "partner",
  entries_removed: "partner",
  history_restored: "partner",

  signed_in: "sign_in",
  sign_in_begun: "sign_in",
  sign_in_refused: "refusal",
  confirmation_refused: "refusal",
  signed_out: "sign_in",
  sessions_ended: "sign_in",
  password_changed: "credentials",
  address_proven: "credentials",
  one_time_codes_changed: "credentials",
  passkey_added: "credentials",
  passkey_removed: "credentials",
  one_time_codes_reset: "credentials",
  account_created: "credentials",
  account_linked: "credentials",
  passkeys_reset: "credentials",
  account_unlinked: "credentials",
  password_link_made: "credentials",
  staff_added: "staff",
  staff_role_changed: "staff",
  staff_access_changed: "staff",
  person_erased: "staff",
  installation_restored: "staff",
} as const satisfies Record<HistoryKind, string>;

type Subject = (typeof subjects)[HistoryKind];

/** The owner of a history: a partner, or the people of the installation. */
export type HistoryScope = "partner" | "people";

/** The filters of a history. Without one: everything but attempts whose end is recorded. */
export const shows = {
  partner: ["changes", "failures", "outside", "access", "connection", "team", "partner", "every"],
  people: ["sign_ins", "refusals", "credentials", "staff"],
} as const satisfies Record<HistoryScope, readonly string[]>;
export type HistoryFilter = (typeof shows)[HistoryScope][number];

/** In the filter by person: nobody known to Gancho. */
export const outsideActor = "outside";

/** The entries that match a filter. Without `kinds`: all; without `outcomes`: any. */
type Part = {
  kinds?: readonly string[];
  outcomes?: readonly string[];
  /** Also saves with a confirmed address whose value the service does not show, or shows another. */
  orAddressConfirmed?: boolean;
};

export const filterCriteria: Record<HistoryFilter, Part> = {
  /** In effect at the service since. */
  changes: {
    kinds: ["save", "changed_outside", "shown_again"],
    outcomes: ["saved", "partial", "seen"],
    orAddressConfirmed: true,
  },
  /** Did not take effect, or nobody has dealt with it, or not yet. */
  failures: {
    kinds: ["save"],
    outcomes: ["partial", "not_saved", "accepted", "unknown", "overtaken", "not_applied"],
  },
  outside: { kinds: ["changed_outside", "shown_again", "outside_acknowledged"] },
  access: { kinds: about("access") },
  connection: { kinds: about("connection") },
  team: { kinds: about("team") },
  partner: { kinds: about("partner") },
  every: {},

  sign_ins: { kinds: about("sign_in") },
  refusals: { kinds: about("refusal") },
  credentials: { kinds: about("credentials") },
  staff: { kinds: about("staff") },
};

function about(subject: Subject): string[] {
  return Object.entries(subjects).flatMap(([kind, its]) => (its === subject ? [kind] : []));
}

/** Kinds whose detail names the person they are about; the actor is another one, or the terminal. */
export const kindsAboutOthers = [
  "one_time_codes_reset",
  "passkeys_reset",
  "account_unlinked",
  "password_link_made",
  "staff_added",
  "staff_role_changed",
  "staff_access_changed",
  "person_erased",
] as const satisfies readonly HistoryKind[];
