"use client";

import { FailureText } from "@/components/forms/failure-text";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";

/** What was asked for and did not happen, or nobody knows. */
export function TeamFailureNotice({ failure }: { failure: Failure }) {
  const t = useTranslations("team.failed");
  return (
    <Notice tone={failure.kind === "no_answer" ? "warn" : "bad"} role="alert" title={t("title")}>
      <FailureText failure={failure} unreachable={t("noAnswer")} />
    </Notice>
  );
}
