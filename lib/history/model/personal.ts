import type { HistoryDetail, HistoryKind } from "./entry";

/** The owner of a text: a person, by their id, or the person with an invited address. */
export type TextOwner = { user: string } | { address: string };

/** The replacement for each text. */
type Replace = (owner: TextOwner, text: string) => string;

type Replaced = {
  [Kind in HistoryKind]: (
    detail: HistoryDetail[Kind],
    replace: Replace,
    actor: TextOwner | null,
  ) => HistoryDetail[Kind];
};

const asIs = <Detail>(detail: Detail) => detail;

type Author = { proposal: { id: string; author: { id: string; name: string } } };

const author = <Detail extends Author>(detail: Detail, replace: Replace): Detail => {
  const { id, name } = detail.proposal.author;
  const proposal = { ...detail.proposal, author: { id, name: replace({ user: id }, name) } };
  return { ...detail, proposal };
};

const anyAuthor = <Detail extends { proposal?: Author["proposal"] | undefined }>(
  detail: Detail,
  replace: Replace,
): Detail => (detail.proposal ? author({ ...detail, proposal: detail.proposal }, replace) : detail);

const person = <Detail extends { userId: string; name: string; email: string }>(
  detail: Detail,
  replace: Replace,
): Detail => {
  const owner = { user: detail.userId };
  return {
    ...detail,
    name: replace(owner, detail.name),
    email: replace(owner, detail.email),
  };
};

const address = <Detail extends { email: string }>(detail: Detail, replace: Replace): Detail => ({
  ...detail,
  email: replace({ address: detail.email }, detail.email),
});

const ownName = <Detail extends { name: string }>(
  detail: Detail,
  replace: Replace,
  actor: TextOwner | null,
): Detail => (actor ? { ...detail, name: replace(actor, detail.name) } : detail);

/**
 * Which texts of an entry's detail are somebody's name or address. They are sealed, each under a key of that person's,
 * so that destroying the key erases them while the chain stays as it is. A kind that does not say so does not compile.
 * What people write themselves, such as a reason, stays as it is.
 */
const personal: Replaced = {
  save_attempt: anyAuthor,
  save: anyAuthor,
  proposal_made: author,
  proposal_ended: author,
  four_eyes_changed: (detail, replace) =>
    detail.asker !== null && detail.askerId
      ? { ...detail, asker: replace({ user: detail.askerId }, detail.asker) }
      : detail,
  changed_outside: asIs,
  shown_again: asIs,
  outside_acknowledged: asIs,
  authorization_reveal: asIs,
  endpoint_checked: asIs,
  connection_changed: anyAuthor,
  connection_proposal_made: author,
  connection_proposal_ended: author,
  connection_checked: asIs,
  member_invited: address,
  invitation_revoked: address,
  invitation_accepted: (detail, replace) => ({
    ...detail,
    email: replace({ user: detail.userId }, detail.email),
  }),
  member_role_changed: person,
  member_removed: person,
  member_link_made: person,
  support_view_opened: asIs,
  support_view_ended: asIs,
  partner_created: asIs,
  partner_renamed: asIs,
  partner_suspended: asIs,
  partner_resumed: asIs,
  entries_removed: asIs,
  history_restored: asIs,

  signed_in: asIs,
  sign_in_begun: asIs,
  sign_in_refused: asIs,
  confirmation_refused: asIs,
  signed_out: asIs,
  sessions_ended: asIs,
  password_changed: (detail, replace) => {
    const { link } = detail;
    return link?.by && link.byId
      ? { ...detail, link: { ...link, by: replace({ user: link.byId }, link.by) } }
      : detail;
  },
  address_proven: asIs,
  one_time_codes_changed: asIs,
  account_created: person,
  account_linked: person,
  passkey_added: ownName,
  passkey_removed: ownName,
  one_time_codes_reset: person,
  passkeys_reset: person,
  account_unlinked: person,
  staff_added: person,
  staff_role_changed: person,
  staff_access_changed: person,
  password_link_made: person,
  person_erased: asIs,
  installation_restored: asIs,
};

/** The same detail with each personal text replaced. `actorId`: the entry's actor. */
export function withPersonal<Kind extends HistoryKind>(
  kind: Kind,
  detail: HistoryDetail[Kind],
  actorId: string | null,
  replace: Replace,
): HistoryDetail[Kind] {
  const own = personal[kind] as Replaced[Kind];
  return own(detail, replace, actorId === null ? null : { user: actorId });
}
