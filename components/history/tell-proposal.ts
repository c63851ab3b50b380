import type { HistoryDetail } from "@/lib/history/entry";
import type { HistoryItem } from "@/lib/history/view/item";
import { Check, Hourglass, TimerOff, Undo2, UsersRound, X } from "lucide-react";
import type { Told, Translate } from "./told";

export function tellProposed(
  { changes, reason }: HistoryDetail["proposal_made"],
  item: HistoryItem,
  t: Translate,
): Told {
  return {
    tone: "neutral",
    icon: Hourglass,
    said: t("timeline.entry.proposed", { types: typesOf(item, t) }),
    notes: [
      t("timeline.entry.proposedUntil"),
      ...(reason === null ? [] : [t("timeline.entry.proposalReason", { text: reason })]),
    ],
    asked: changes.map((change) => ({ ...change, outcome: "not_saved" })),
  };
}

const endings = {
  approved: { tone: "ok", icon: Check },
  rejected: { tone: "bad", icon: X },
  withdrawn: { tone: "neutral", icon: Undo2 },
  replaced: { tone: "neutral", icon: Undo2 },
  expired: { tone: "warn", icon: TimerOff },
} as const;

/** Null for an outcome that nobody knows. */
export function tellProposalEnded(
  { proposal, signed }: HistoryDetail["proposal_ended"],
  item: HistoryItem,
  t: Translate,
): Told | null {
  const { outcome } = item;
  if (!isEnding(outcome)) return null;
  return {
    ...endings[outcome],
    said: t(`timeline.entry.proposalEnded.${outcome}`, { types: typesOf(item, t) }),
    notes: [
      t("timeline.entry.proposedBy", { name: proposal.author.name }),
      ...(signed ? [t("timeline.entry.proposalSigned")] : []),
    ],
  };
}

function isEnding(outcome: string | null): outcome is keyof typeof endings {
  return outcome !== null && Object.hasOwn(endings, outcome);
}

const switches = ["on", "off", "off_asked", "kept", "lifted"] as const;

/** Null for an outcome that nobody knows. */
export function tellFourEyes(
  { asker }: HistoryDetail["four_eyes_changed"],
  { outcome }: HistoryItem,
  t: Translate,
): Told | null {
  const known = switches.find((name) => name === outcome);
  if (!known) return null;
  return {
    tone: known === "on" || known === "kept" ? "neutral" : "warn",
    icon: UsersRound,
    said: t(`timeline.entry.fourEyes.${known}`),
    ...(asker === null ? {} : { notes: [t("timeline.entry.fourEyesAsker", { name: asker })] }),
  };
}

function typesOf({ types: [first, second] }: HistoryItem, t: Translate): string {
  return t(`webhooks.typesList.${second ? "both" : (first ?? "both")}`);
}
