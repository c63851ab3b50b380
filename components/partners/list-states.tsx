"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { Building2, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ListReader } from "./partners-screen";
import { Skeleton } from "@/components/ui/skeleton";

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

/** The shape of the list to come. */
export function PartnersSkeleton() {
  const t = useTranslations("partners");
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      <p className="sr-only">{t("loading")}</p>
      {Array.from({ length: 6 }, (_, line) => (
        <div
          key={line}
          className="flex items-center gap-4 border-t border-line px-4 py-3.5 first:border-t-0"
        >
          <Skeleton className="size-7" />
          <Skeleton className="h-4 flex-1" />
          <Skeleton className="h-4 flex-1 max-md:hidden" />
          <Skeleton className="h-6 w-24" />
        </div>
      ))}
    </div>
  );
}
