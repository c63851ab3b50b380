import {
  historyDetail,
  isHistoryKind,
  type HistoryDetail,
  type HistoryKind,
} from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { addressNotKept, erasedPerson } from "@/lib/platform/secrets/model/erased-person";
import { withNames } from "@/lib/history/model/names";
import {
  Building2,
  CircleHelp,
  Archive,
  DatabaseBackup,
  LifeBuoy,
  Link2,
  MailCheck,
  MailPlus,
  MailX,
  UserCog,
  UserMinus,
} from "lucide-react";
import * as z from "zod/mini";
import {
  describeConnectionChanged,
  describeConnectionChecked,
  describeCredentialsProposed,
} from "./describe-connection";
import {
  describeCredentialsEnded,
  describeFourEyes,
  describeProposalEnded,
  describeProposed,
} from "./describe-proposal";
import { peopleWords } from "./describe-people";
import { describeEndpointCheck } from "./describe-endpoint-check";
import { describeReveal } from "./describe-reveal";
import {
  describeAcknowledged,
  describeAttempt,
  describeOutside,
  describeSave,
  describeShownAgain,
} from "./describe-save";
import type { Description, Translate } from "./description";

type Describe<Detail> = (detail: Detail, item: HistoryItem, t: Translate) => Description | null;

const plain = { tone: "neutral" } as const;

/** The words for each kind of entry. A kind without words does not compile. */
const words: { [Kind in HistoryKind]: Describe<HistoryDetail[Kind]> } = {
  save: describeSave,
  changed_outside: describeOutside,
  shown_again: describeShownAgain,
  authorization_reveal: describeReveal,

  save_attempt: describeAttempt,
  outside_acknowledged: describeAcknowledged,

  proposal_made: describeProposed,
  proposal_ended: describeProposalEnded,
  four_eyes_changed: describeFourEyes,

  endpoint_checked: describeEndpointCheck,

  connection_changed: describeConnectionChanged,
  connection_checked: describeConnectionChecked,
  connection_proposal_made: describeCredentialsProposed,
  connection_proposal_ended: describeCredentialsEnded,

  member_invited: ({ email, role }, _item, t) => ({
    ...plain,
    icon: MailPlus,
    sentence: t("timeline.entry.invited", { email, role: t(`common.roles.${role}`) }),
  }),
  invitation_revoked: ({ email, replaced }, _item, t) => ({
    ...plain,
    icon: MailX,
    sentence: t(`timeline.entry.${replaced ? "invitationReplaced" : "invitationRevoked"}`, {
      email,
    }),
  }),
  invitation_accepted: ({ email, role }, _item, t) => ({
    ...plain,
    icon: MailCheck,
    sentence: t("timeline.entry.invitationAccepted", { email, role: t(`common.roles.${role}`) }),
  }),
  member_role_changed: ({ name, email, before, after }, _item, t) => ({
    ...plain,
    icon: UserCog,
    sentence: t("timeline.entry.roleChanged", {
      name,
      before: t(`common.roles.${before}`),
      after: t(`common.roles.${after}`),
    }),
    notes: [email],
  }),
  member_link_made: ({ name, email }, _item, t) => ({
    tone: "warn",
    icon: Link2,
    sentence: t("timeline.entry.linkMade", { name }),
    notes: [t("timeline.entry.linkMadeNote"), email],
  }),
  member_removed: ({ name, email, role }, _item, t) => ({
    ...plain,
    icon: UserMinus,
    sentence: t("timeline.entry.removed", { name }),
    notes: [t("timeline.entry.wasRole", { role: t(`common.roles.${role}`) }), email],
  }),

  support_view_opened: ({ reason }, _item, t) => ({
    ...plain,
    icon: LifeBuoy,
    sentence: t("timeline.entry.supportOpened"),
    notes: [t("timeline.reason", { text: reason })],
  }),
  support_view_ended: (_detail, _item, t) => ({
    ...plain,
    icon: LifeBuoy,
    sentence: t("timeline.entry.supportEnded"),
  }),

  partner_created: ({ name }, _item, t) => ({
    ...plain,
    icon: Building2,
    sentence: t("timeline.entry.partnerCreated", { name }),
  }),
  partner_renamed: ({ before, after }, _item, t) => ({
    ...plain,
    icon: Building2,
    sentence: t("timeline.entry.partnerRenamed", { before, after }),
  }),
  partner_suspended: (_detail, _item, t) => ({
    ...plain,
    icon: Building2,
    sentence: t("timeline.entry.partnerSuspended"),
  }),
  partner_resumed: (_detail, _item, t) => ({
    ...plain,
    icon: Building2,
    sentence: t("timeline.entry.partnerResumed"),
  }),
  entries_removed: ({ removed }, _item, t) => ({
    ...plain,
    icon: Archive,
    sentence: t("timeline.entry.entriesRemoved", { count: removed }),
  }),
  history_restored: (_detail, _item, t) => ({
    tone: "warn",
    icon: DatabaseBackup,
    sentence: t("timeline.entry.restored"),
    notes: [t("timeline.entry.restoredNote")],
  }),

  ...peopleWords,
};

/** Any entry in words; one of an unknown kind or shape gets words that say so. */
export function describeEntry(item: HistoryItem, t: Translate): Description {
  return (
    (isHistoryKind(item.kind) ? describeKind(item.kind, item, t) : null) ?? {
      ...plain,
      icon: CircleHelp,
      sentence: t("timeline.entry.unreadable"),
      notes: [t("timeline.entry.unreadableNote", { kind: item.kind })],
    }
  );
}

/** The same as `historyDetail`, in a type that the compiler can follow from a kind to its detail. */
const shapes: { [Kind in HistoryKind]: z.ZodMiniType<HistoryDetail[Kind]> } = historyDetail;

function describeKind<Kind extends HistoryKind>(
  kind: Kind,
  item: HistoryItem,
  t: Translate,
): Description | null {
  const detail = z.safeParse(shapes[kind], item.detail);
  if (!detail.success) return null;
  const erased = t("common.erasedPerson");
  const instead = new Map([
    [erasedPerson, erased],
    [addressNotKept, t("common.addressNotKept")],
  ]);
  const shown = withNames(detail.data, (text) => instead.get(text) ?? text);
  const description = words[kind](shown, item, t);
  // Where the name already says so, the address need not.
  return description?.notes
    ? { ...description, notes: description.notes.filter((note) => note !== erased) }
    : description;
}
