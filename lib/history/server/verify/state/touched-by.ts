import type { HistoryDetail, HistoryKind } from "@/lib/history/model/entry";
import type { GuardedTable, Touched } from "./guarded";

type About<Kind extends HistoryKind> = {
  partnerId: string;
  environment: string | null;
  actor: { id: string } | null;
  detail: HistoryDetail[Kind];
};

type TouchedBy = { [Kind in HistoryKind]: (entry: About<Kind>) => readonly Touched[] };

const nothing = () => [];

const rowsOf =
  (...tables: GuardedTable[]) =>
  (owner: string): Touched[] =>
    tables.map((table) => ({ table, owner }));

const member = rowsOf("memberships", "vouchers");
const password = rowsOf("users", "password_links");
const passkeys = rowsOf("passkeys");
const identities = rowsOf("identities");
const codes = rowsOf("one_time_codes", "recovery_codes");
const ofActor =
  (rows: (owner: string) => Touched[]) => (entry: { actor: { id: string } | null }) =>
    entry.actor ? rows(entry.actor.id) : [];
const ofPerson =
  (rows: (owner: string) => Touched[]) =>
  ({ detail }: { detail: { userId: string } }) =>
    rows(detail.userId);
const partner = ({ partnerId }: { partnerId: string }) => rowsOf("partners")(partnerId);

/**
 * The guarded rows that an entry's change may have touched: the entry notes them. A kind that does not say so does not
 * compile. The entry is written after the change, in its transaction.
 */
const touchedBy: TouchedBy = {
  save_attempt: nothing,
  save: nothing,
  proposal_made: nothing,
  proposal_ended: nothing,
  changed_outside: nothing,
  shown_again: nothing,
  outside_acknowledged: nothing,
  authorization_reveal: nothing,
  endpoint_checked: nothing,
  connection_proposal_made: nothing,
  connection_proposal_ended: nothing,
  connection_checked: nothing,
  support_view_opened: nothing,
  support_view_ended: nothing,

  // Switching it on starts the vouchers over.
  four_eyes_changed: ({ partnerId }) => [
    { table: "four_eyes", owner: partnerId },
    { table: "vouchers", owner: null },
  ],
  connection_changed: ({ environment }) => rowsOf("connections")(environment ?? ""),
  member_invited: ({ detail }) => rowsOf("invitations")(detail.invitationId),
  invitation_revoked: ({ detail }) => rowsOf("invitations")(detail.invitationId),
  invitation_accepted: ({ detail }) => [
    ...rowsOf("invitations")(detail.invitationId),
    ...member(detail.userId),
  ],
  member_role_changed: ofPerson(member),
  member_removed: ofPerson(member),
  // The admin who makes the link vouches for the member; the link itself is noted with its entry of the people.
  member_link_made: ofPerson(rowsOf("vouchers")),

  partner_created: partner,
  partner_renamed: partner,
  partner_suspended: partner,
  partner_resumed: partner,
  // Its notes are passed in.
  state_recorded: nothing,
  // Each invitation that it ends has an entry.
  history_restored: nothing,

  signed_in: nothing,
  sign_in_begun: nothing,
  sign_in_refused: nothing,
  confirmation_refused: nothing,
  signed_out: nothing,
  sessions_ended: nothing,
  account_created: ofPerson(rowsOf("users", "identities")),
  account_linked: ofPerson(rowsOf("identities")),
  account_unlinked: ofPerson(rowsOf("identities")),
  password_changed: ofActor(password),
  // Everything before it goes with it.
  address_proven: ofActor((owner) => [...password(owner), ...codes(owner), ...passkeys(owner)]),
  one_time_codes_changed: ofActor(codes),
  passkey_added: ofActor(passkeys),
  passkey_removed: ofActor(passkeys),
  one_time_codes_reset: ofPerson(codes),
  passkeys_reset: ofPerson(passkeys),
  staff_added: ofPerson(password),
  staff_role_changed: ofPerson(rowsOf("users")),
  staff_access_changed: ofPerson(password),
  password_link_made: ofPerson(password),
  person_erased: ({ detail: { userId } }) =>
    userId === null
      ? []
      : [...password(userId), ...passkeys(userId), ...codes(userId), ...identities(userId)],
  installation_restored: () => [{ table: "password_links", owner: null }],
};

/** The same, in a type that the compiler can follow from a kind to its detail. */
export function touched<Kind extends HistoryKind>(
  entry: { kind: Kind } & About<Kind>,
): readonly Touched[] {
  return touchedBy[entry.kind](entry);
}
