"use client";

import { Notice } from "@/components/ui/notice";
import type { PlainFailure, SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { useTranslations } from "next-intl";

/** What went wrong and what to do. A wrong password and an unknown person get the same words. */
export function FailureMessage({ failure }: { failure: SignInFailure }) {
  const t = useTranslations("signIn.failed");
  switch (failure.outcome) {
    case "throttled":
      return (
        <FailureNotice
          tone="warn"
          title={t("throttled.title")}
          next={
            failure.retryAfterSeconds > 90
              ? t("throttled.nextMinutes", { minutes: Math.ceil(failure.retryAfterSeconds / 60) })
              : t("throttled.next", { seconds: Math.max(1, failure.retryAfterSeconds) })
          }
        />
      );
    case "single_sign_on":
      return (
        <FailureNotice
          tone={failure.reason === "cancelled" ? "warn" : "bad"}
          title={t(`singleSignOn.${failure.reason}.title`)}
          next={t(`singleSignOn.${failure.reason}.next`)}
        />
      );
    default:
      return (
        <FailureNotice
          tone={nobodysFault.has(failure.outcome) ? "warn" : "bad"}
          title={t(`${failure.outcome}.title`)}
          next={t(`${failure.outcome}.next`)}
        />
      );
  }
}

/** Trying again is all there is to do. */
const nobodysFault: ReadonlySet<PlainFailure> = new Set([
  "code_over",
  "passkey_over",
  "passkey_cancelled",
  "database_away",
]);

type FailureNoticeProps = { tone: "warn" | "bad"; title: string; next: string };

function FailureNotice({ tone, title, next }: FailureNoticeProps) {
  return (
    <Notice role="alert" tone={tone} title={title}>
      {next}
    </Notice>
  );
}
