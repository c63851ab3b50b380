import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";
import type { HistoryDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { Eye, EyeOff, Hourglass, KeyRound, UserX } from "lucide-react";
import type { Description, Translate } from "./description";

/** Whether somebody was shown an Authorization value; null for an unknown outcome. */
export function describeReveal(
  { fingerprint, problem }: HistoryDetail["authorization_reveal"],
  { outcome, types: [type] }: HistoryItem,
  t: Translate,
): Description | null {
  if (!type) return null;
  const types = t(`webhooks.typesList.${type}`);
  switch (outcome) {
    case "revealed":
      return {
        tone: "neutral",
        icon: Eye,
        sentence: t("timeline.entry.revealed", { types }),
        ...(fingerprint === null
          ? {}
          : {
              notes: [
                t("timeline.entry.revealedValue", { fingerprint: spacedFingerprint(fingerprint) }),
              ],
            }),
      };
    case "wrong_password":
      return {
        tone: "bad",
        icon: KeyRound,
        sentence: t("timeline.entry.revealRefused", { types }),
        notes: [t("timeline.entry.revealWrongPassword")],
      };
    case "limited":
      return {
        tone: "bad",
        icon: Hourglass,
        sentence: t("timeline.entry.revealRefused", { types }),
        notes: [t("timeline.entry.revealLimited")],
      };
    case "not_allowed":
      return {
        tone: "bad",
        icon: UserX,
        sentence: t("timeline.entry.revealRefused", { types }),
        notes: [t("timeline.entry.revealNotAllowed")],
      };
    case "not_read":
      return {
        tone: "bad",
        icon: EyeOff,
        sentence: t("timeline.entry.revealNotRead", { types }),
        notes: [
          ...(isProblemCode(problem) ? [t(`problems.${problem}.title`)] : []),
          t("timeline.entry.revealedNothing"),
        ],
      };
    case "not_set":
    case "not_registered":
    case "conflicting_values":
    case "not_shown":
      return {
        tone: "neutral",
        icon: EyeOff,
        sentence: t("timeline.entry.revealNotRead", { types }),
        notes: [t(`timeline.entry.revealAbsence.${outcome}`)],
      };
    default:
      return null;
  }
}
