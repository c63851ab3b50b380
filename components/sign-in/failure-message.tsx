"use client";

import { Notice } from "@/components/ui/notice";
import type { PlainFailure, SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { useTranslations } from "next-intl";

type FailureMessageProps = {
  failure: SignInFailure;
  /** What failed; left out: signing in. */
  of?: "signIn" | "stepUp";
};

/** What went wrong and what to do. A wrong password and an unknown person get the same text. */
export function FailureMessage({ failure, of = "signIn" }: FailureMessageProps) {
  const t = useTranslations("signIn.failed");
  const words =
    failure.outcome === "single_sign_on"
      ? (`singleSignOn.${failure.reason}` as const)
      : failure.outcome;
  return (
    <Notice
      role="alert"
      tone={retryable.has(words) ? "warn" : "bad"}
      title={t(`${words}.title`, { of })}
    >
      {failure.outcome !== "throttled"
        ? t(`${words as PlainFailure}.next`)
        : failure.retryAfterSeconds > 90
          ? t("throttled.nextMinutes", { minutes: Math.ceil(failure.retryAfterSeconds / 60) })
          : t("throttled.next", { seconds: Math.max(1, failure.retryAfterSeconds) })}
    </Notice>
  );
}

/** Failures after which trying again is all there is to do. */
const retryable: ReadonlySet<string> = new Set([
  "throttled",
  "singleSignOn.cancelled",
  "singleSignOn.no_answer",
  "singleSignOn.proxy_failed",
  "singleSignOn.not_fresh",
  "singleSignOn.over",
  "code_over",
  "passkey_over",
  "passkey_cancelled",
  "database_away",
]);
