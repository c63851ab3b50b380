import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";
import type { HistoryDetail } from "@/lib/history/model/entry";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { Eye, EyeOff, Hourglass, KeyRound, UserX } from "lucide-react";
import type { Description, ShownEntry, Translate } from "./description";

/** Whether somebody was shown one; null for an unknown outcome. */
export function describeReveal(
  detail: HistoryDetail["authorization_reveal"],
  entry: ShownEntry,
  t: Translate,
): Description | null {
  const [type] = entry.types;
  if (!type) return null;
  const types = t(`webhooks.typesList.${type}`);
  switch (entry.outcome) {
    case "revealed":
      return {
        tone: "neutral",
        icon: Eye,
        sentence: t("history.entry.revealed", { types }),
        ...(detail.fingerprint && {
          notes: [
            t("history.entry.revealedValue", {
              fingerprint: spacedFingerprint(detail.fingerprint),
            }),
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
          ...(isProblemCode(detail.problem) ? [t(`problems.${detail.problem}.title`)] : []),
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
        notes: [t(`timeline.entry.revealAbsence.${entry.outcome}`)],
      };
    default:
      return null;
  }
}
