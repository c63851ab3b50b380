"use client";

import { Skeleton } from "@/components/ui/skeleton";
import { useTranslations } from "next-intl";

/** The shape of a list that is coming. */
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
