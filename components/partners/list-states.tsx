"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { Building2, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ListReader } from "./partners-screen";

export function NoPartners({ reader }: { reader: ListReader }) {
  const t = useTranslations("partners.empty");
  return (
    <EmptyState
      icon={<Building2 aria-hidden />}
      title={t("title")}
      text={t(reader === "operator" ? "operator" : "others")}
    />
  );
}

export function NothingFound({ onClear }: { onClear: () => void }) {
  const t = useTranslations("partners.nothingFound");
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={t("title")}
      text={t("text")}
      action={<Button onClick={onClear}>{t("clear")}</Button>}
    />
  );
}

export function Unavailable({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const t = useTranslations();
  return (
    <FailureNotice
      failure={failure}
      unreachable={t("partners.unavailable.unreachable")}
      title={t("partners.unavailable.title")}
      actions={<Button onClick={onRetry}>{t("common.tryAgain")}</Button>}
    />
  );
}
