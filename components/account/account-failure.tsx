"use client";

import { FailureText } from "@/components/forms/failure-text";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";

/** What went wrong, unless it is said at the fields. */
export function AccountFailure({ failure }: { failure: Failure | null }) {
  const t = useTranslations("account");
  const isAtField = failure?.kind === "problem" && failure.problem.code === "invalid_fields";
  if (!failure || isAtField) return null;
  return (
    <Notice tone="bad" role="alert">
      <FailureText failure={failure} unreachable={t("unreachable")} />
    </Notice>
  );
}
