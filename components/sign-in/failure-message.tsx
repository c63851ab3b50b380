"use client";

import { Notice } from "@/components/ui/notice";
import type { SignInFailure } from "@/lib/platform/auth/client/auth-client";
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
    case "refused":
      return <FailureNotice title={t("credentials.title")} next={t("credentials.next")} />;
    case "wrong_code":
      return <FailureNotice title={t("code.title")} next={t("code.next")} />;
    case "code_over":
      return <FailureNotice tone="warn" title={t("codeOver.title")} next={t("codeOver.next")} />;
    case "passkey_refused":
      return <FailureNotice title={t("passkey.title")} next={t("passkey.next")} />;
    case "passkey_over":
      return (
        <FailureNotice tone="warn" title={t("passkeyOver.title")} next={t("passkeyOver.next")} />
      );
    case "no_passkey":
      return (
        <FailureNotice
          tone={failure.why === "cancelled" ? "warn" : "bad"}
          title={t("noPasskey.title")}
          next={t(failure.why === "cancelled" ? "noPasskey.cancelled" : "noPasskey.next")}
        />
      );
    case "unreachable":
      return <FailureNotice title={t("network.title")} next={t("network.next")} />;
    case "database_away":
      return <FailureNotice tone="warn" title={t("database.title")} next={t("database.next")} />;
    case "single_sign_on":
      return (
        <FailureNotice
          tone={failure.reason === "cancelled" ? "warn" : "bad"}
          title={t(`singleSignOn.${failure.reason}.title`)}
          next={t(`singleSignOn.${failure.reason}.next`)}
        />
      );
    case "failed":
      return <FailureNotice title={t("other.title")} next={t("other.next")} />;
  }
}

type FailureNoticeProps = { tone?: "warn" | "bad"; title: string; next: string };

function FailureNotice({ tone = "bad", title, next }: FailureNoticeProps) {
  return (
    <Notice role="alert" tone={tone} title={title}>
      {next}
    </Notice>
  );
}
