import type { HistoryDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { isSingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import { KeyRound, ShieldX } from "lucide-react";
import type { Description, Translate } from "./description";

const reasons = [
  "unknown_person",
  "wrong_password",
  "no_password",
  "disabled",
  "wrong_code",
  "unknown_passkey",
  "wrong_passkey",
  "passkey_counter",
  "single_sign_on",
] as const;

/** Null for an unknown outcome. */
export function describeSignInRefused(
  { reason, blockedSeconds }: HistoryDetail["sign_in_refused"],
  { outcome }: HistoryItem,
  t: Translate,
): Description | null {
  const why = reasons.find((one) => one === outcome);
  if (!why) return null;
  return {
    tone: "bad",
    icon: ShieldX,
    sentence: t(`timeline.people.refused.${why}`),
    notes: [
      ...(isSingleSignOnFailure(reason) ? [t(`timeline.people.singleSignOn.${reason}`)] : []),
      ...(why === "unknown_person" ? [t("timeline.people.typedNotKept")] : []),
      ...(why === "passkey_counter" ? [t("timeline.people.passkey.copied")] : []),
      ...(why === "wrong_code" ? [t("timeline.people.passwordWasRight")] : []),
      ...blocked(blockedSeconds, t),
    ],
  };
}

/** Null for an unknown outcome. */
export function describeConfirmationRefused(
  { blockedSeconds }: HistoryDetail["confirmation_refused"],
  { outcome }: HistoryItem,
  t: Translate,
): Description | null {
  const why = reasons.find((one) => one === outcome);
  if (!why) return null;
  return {
    tone: "bad",
    icon: KeyRound,
    sentence: t(`timeline.people.confirmation.${means(why)}`),
    notes: [
      t("timeline.people.whileSignedIn"),
      ...(why === "passkey_counter" ? [t("timeline.people.passkey.copied")] : []),
      ...blocked(blockedSeconds, t),
    ],
  };
}

function means(why: (typeof reasons)[number]) {
  if (why === "wrong_code") return "code";
  return why.includes("passkey") ? "passkey" : "password";
}

function blocked(seconds: number | null, t: Translate): string[] {
  if (seconds === null) return [];
  return seconds < 120
    ? [t("timeline.people.blocked", { seconds })]
    : [t("timeline.people.blockedMinutes", { minutes: Math.round(seconds / 60) })];
}
