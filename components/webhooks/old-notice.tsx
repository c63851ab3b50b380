"use client";

import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import type { Failure } from "@/lib/fetch-json";
import type { Configuration } from "@/lib/webhooks/configuration";
import { isProblemCode } from "@/lib/problem";
import { useTranslations } from "next-intl";
import { ProblemText } from "./problem-text";
import { SignInAgain } from "./sign-in-again";

type OldNoticeProps = {
  id: string;
  confirmedAt: string;
  /** Why the service could not be asked, or why Gancho itself could not. */
  reason: Configuration["staleReason"] | Failure;
};

/** Above a configuration that may be old: since when, why, and that editing is off until then. */
export function OldNotice({ id, confirmedAt, reason }: OldNoticeProps) {
  const t = useTranslations("webhooks");
  const problem = problemOf(reason);
  return (
    <Notice
      id={id}
      tone="warn"
      title={t.rich("old.title", { time: () => <RelativeTime at={confirmedAt} /> })}
      {...(problem?.code === "signed_out" ? { actions: <SignInAgain /> } : {})}
    >
      {problem ? (
        <ProblemText problem={problem} next={t("old.next")} />
      ) : (
        <p>
          {t("old.unreachable")} {t("old.next")}
        </p>
      )}
    </Notice>
  );
}

function problemOf(reason: OldNoticeProps["reason"]) {
  if (!reason || !("kind" in reason)) {
    return reason && isProblemCode(reason.code)
      ? { code: reason.code, requestId: reason.requestId }
      : null;
  }
  return reason.kind === "problem" ? reason.problem : null;
}
