import {
  historyDetail,
  isHistoryKind,
  type HistoryDetail,
  type HistoryKind,
} from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { erasedPerson } from "@/lib/platform/secrets/model/erased-person";
import { withPersonal } from "@/lib/history/model/personal";
import {
  Building2,
  CircleHelp,
  Database,
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
  tellConnectionChanged,
  tellConnectionChecked,
  tellCredentialsProposed,
} from "./tell-connection";
import {
  tellCredentialsEnded,
  tellFourEyes,
  tellProposalEnded,
  tellProposed,
} from "./tell-proposal";
import { peopleWords } from "./tell-people";
import { tellEndpointCheck } from "./tell-endpoint-check";
import { tellReveal } from "./tell-reveal";
import { tellAcknowledged, tellAttempt, tellOutside, tellSave, tellShownAgain } from "./tell-save";
import type { Told, Translate } from "./told";

type Tell<Detail> = (detail: Detail, item: HistoryItem, t: Translate) => Told | null;

const plain = { tone: "neutral" } as const;

/** The words for each kind of entry. A kind without words does not compile. */
const words: { [Kind in HistoryKind]: Tell<HistoryDetail[Kind]> } = {
  save: tellSave,
  save_attempt: tellAttempt,
  changed_outside: tellOutside,
  shown_again: tellShownAgain,
  outside_acknowledged: tellAcknowledged,

  proposal_made: tellProposed,
  proposal_ended: tellProposalEnded,
  four_eyes_changed: tellFourEyes,

  authorization_reveal: tellReveal,
  endpoint_checked: tellEndpointCheck,

  connection_changed: tellConnectionChanged,
  connection_checked: tellConnectionChecked,
  connection_proposal_made: tellCredentialsProposed,
  connection_proposal_ended: tellCredentialsEnded,

  member_invited: ({ email, role }, _item, t) => ({
    ...plain,
    icon: MailPlus,
    said: t("timeline.entry.invited", { email, role: t(`common.roles.${role}`) }),
  }),
  invitation_revoked: ({ email, replaced }, _item, t) => ({
    ...plain,
    icon: MailX,
    said: t(`timeline.entry.${replaced ? "invitationReplaced" : "invitationRevoked"}`, { email }),
  }),
  invitation_accepted: ({ email, role }, _item, t) => ({
    ...plain,
    icon: MailCheck,
    said: t("timeline.entry.invitationAccepted", { email, role: t(`common.roles.${role}`) }),
  }),
  member_role_changed: ({ name, email, before, after }, _item, t) => ({
    ...plain,
    icon: UserCog,
    said: t("timeline.entry.roleChanged", {
      name,
      before: t(`common.roles.${before}`),
      after: t(`common.roles.${after}`),
    }),
    notes: [email],
  }),
  member_link_made: ({ name, email }, _item, t) => ({
    tone: "warn",
    icon: Link2,
    said: t("timeline.entry.linkMade", { name }),
    notes: [t("timeline.entry.linkMadeNote"), email],
  }),
  member_removed: ({ name, email, role }, _item, t) => ({
    ...plain,
    icon: UserMinus,
    said: t("timeline.entry.removed", { name }),
    notes: [t("timeline.entry.wasRole", { email, role: t(`common.roles.${role}`) })],
  }),

  support_view_opened: ({ reason }, _item, t) => ({
    ...plain,
    icon: LifeBuoy,
    said: t("timeline.entry.supportOpened"),
    notes: [t("timeline.reason", { text: reason })],
  }),
  support_view_ended: (_detail, _item, t) => ({
    ...plain,
    icon: LifeBuoy,
    said: t("timeline.entry.supportEnded"),
  }),

  partner_created: ({ name }, _item, t) => ({
    ...plain,
    icon: Building2,
    said: t("timeline.entry.partnerCreated", { name }),
  }),
  partner_renamed: ({ before, after }, _item, t) => ({
    ...plain,
    icon: Building2,
    said: t("timeline.entry.partnerRenamed", { before, after }),
  }),
  partner_suspended: (_detail, _item, t) => ({
    ...plain,
    icon: Building2,
    said: t("timeline.entry.partnerSuspended"),
  }),
  partner_resumed: (_detail, _item, t) => ({
    ...plain,
    icon: Building2,
    said: t("timeline.entry.partnerResumed"),
  }),
  state_recorded: ({ rows }, { outcome }, t) => {
    const why = (["upgrade", "made", "accepted", "carried"] as const).find(
      (one) => one === outcome,
    );
    return why
      ? {
          tone: why === "accepted" ? "warn" : "neutral",
          icon: Database,
          said: t("timeline.entry.stateRecorded", { count: rows }),
          notes: [t(`timeline.entry.stateRecordedWhy.${why}`)],
        }
      : null;
  },

  ...peopleWords,
};

/** Any entry in words; one of a kind or shape that nobody knows is told as that. */
export function tellEntry(item: HistoryItem, t: Translate): Told {
  return (
    (isHistoryKind(item.kind) ? tellKind(item.kind, item, t) : null) ?? {
      ...plain,
      icon: CircleHelp,
      said: t("timeline.entry.unreadable"),
      notes: [t("timeline.entry.unreadableNote", { kind: item.kind })],
    }
  );
}

/** The same as `historyDetail`, in a type that the compiler can follow from a kind to its detail. */
const shapes: { [Kind in HistoryKind]: z.ZodMiniType<HistoryDetail[Kind]> } = historyDetail;

function tellKind<Kind extends HistoryKind>(
  kind: Kind,
  item: HistoryItem,
  t: Translate,
): Told | null {
  const detail = z.safeParse(shapes[kind], item.detail);
  if (!detail.success) return null;
  const erased = t("common.erasedPerson");
  const shown = withPersonal(kind, detail.data, item.actor?.id ?? null, (_owner, text) =>
    text === erasedPerson ? erased : text,
  );
  const told = words[kind](shown, item, t);
  // Where the name says so, the address need not.
  return told?.notes ? { ...told, notes: told.notes.filter((note) => note !== erased) } : told;
}
