import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";
import type { HistoryDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { Eye, EyeOff, Hourglass, KeyRound, UserX } from "lucide-react";
import type { Told, Translate } from "./told";

/** Whether somebody was shown an Authorization value; null for an outcome that nobody knows. */
export function tellReveal(
  { fingerprint, problem }: HistoryDetail["authorization_reveal"],
  { outcome, types: [type] }: HistoryItem,
  t: Translate,
): Told | null {
  if (!type) return null;
  const types = t(`webhooks.typesList.${type}`);
  switch (outcome) {
    case "revealed":
      return {
        tone: "neutral",
        icon: Eye,
        said: t("timeline.entry.revealed", { types }),
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
        said: t("timeline.entry.revealRefused", { types }),
        notes: [t("timeline.entry.revealWrongPassword")],
      };
    case "limited":
      return {
        tone: "bad",
        icon: Hourglass,
        said: t("timeline.entry.revealRefused", { types }),
        notes: [t("timeline.entry.revealLimited")],
      };
    case "not_allowed":
      return {
        tone: "bad",
        icon: UserX,
        said: t("timeline.entry.revealRefused", { types }),
        notes: [t("timeline.entry.revealNotAllowed")],
      };
    case "not_read":
      return {
        tone: "bad",
        icon: EyeOff,
        said: t("timeline.entry.revealNotRead", { types }),
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
        said: t("timeline.entry.revealNotRead", { types }),
        notes: [t(`timeline.entry.revealAbsence.${outcome}`)],
      };
    default:
      return null;
  }
}
