"use client";

import { FailureText } from "@/components/forms/failure-text";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";

export function InvitationFailure({ failure }: { failure: Failure }) {
  const t = useTranslations("invitation.failed");
  return (
    <Notice tone="bad" role="alert" title={t("title")}>
      <FailureText failure={failure} unreachable={t("noAnswer")} />
    </Notice>
  );
}
