import type { HistoryDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { Check, Hourglass, TimerOff, Undo2, UsersRound, X } from "lucide-react";
import type { Description, Translate } from "./description";

export function describeProposed(
  { changes, reason }: HistoryDetail["proposal_made"],
  item: HistoryItem,
  t: Translate,
): Description {
  return {
    tone: "neutral",
    icon: Hourglass,
    sentence: t("timeline.entry.proposed", { types: typesOf(item, t) }),
    notes: [
      t("timeline.entry.proposedUntil"),
      ...(reason === null ? [] : [t("timeline.entry.proposalReason", { text: reason })]),
    ],
    requested: changes.map((change) => ({ ...change, outcome: "not_saved" })),
  };
}

const endings = {
  approved: { tone: "ok", icon: Check },
  rejected: { tone: "bad", icon: X },
  withdrawn: { tone: "neutral", icon: Undo2 },
  replaced: { tone: "neutral", icon: Undo2 },
  expired: { tone: "warn", icon: TimerOff },
} as const;

/** Null for an unknown outcome. */
export function describeProposalEnded(
  { proposal, reason }: HistoryDetail["proposal_ended"],
  item: HistoryItem,
  t: Translate,
): Description | null {
  const { outcome } = item;
  if (!isEnding(outcome)) return null;
  return {
    ...endings[outcome],
    sentence: t(`timeline.entry.proposalEnded.${outcome}`, { types: typesOf(item, t) }),
    notes: [
      t("timeline.entry.proposedBy", { name: proposal.author.name }),
      ...(reason === undefined ? [] : [t("timeline.entry.proposalReason", { text: reason })]),
    ],
  };
}

/** The same for credentials. */
export function describeCredentialsEnded(
  { proposal, clientIdAfter, reason }: HistoryDetail["connection_proposal_ended"],
  { outcome }: HistoryItem,
  t: Translate,
): Description | null {
  if (!isEnding(outcome)) return null;
  return {
    ...endings[outcome],
    sentence: t(`timeline.entry.credentialsEnded.${outcome}`),
    notes: [
      t("timeline.entry.clientId", { id: clientIdAfter }),
      t("timeline.entry.proposedBy", { name: proposal.author.name }),
      ...(reason === undefined ? [] : [t("timeline.entry.proposalReason", { text: reason })]),
    ],
  };
}

function isEnding(outcome: string | null): outcome is keyof typeof endings {
  return outcome !== null && Object.hasOwn(endings, outcome);
}

const switches = ["on", "off", "off_asked", "kept", "lifted"] as const;

/** Null for an unknown outcome. */
export function describeFourEyes(
  { asker, reason }: HistoryDetail["four_eyes_changed"],
  { outcome }: HistoryItem,
  t: Translate,
): Description | null {
  const known = switches.find((name) => name === outcome);
  if (!known) return null;
  return {
    tone: known === "on" || known === "kept" ? "neutral" : "warn",
    icon: UsersRound,
    sentence: t(`timeline.entry.fourEyes.${known}`),
    notes: [
      ...(asker === null ? [] : [t("timeline.entry.fourEyesAsker", { name: asker })]),
      ...(reason === undefined ? [] : [t("timeline.entry.proposalReason", { text: reason })]),
    ],
  };
}

function typesOf({ types: [first, second] }: HistoryItem, t: Translate): string {
  return t(`webhooks.typesList.${second ? "both" : (first ?? "both")}`);
}
