"use client";

import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

type HistoryHeaderProps = { partnerName: string; environment: string; actions: ReactNode };

export function HistoryHeader({ partnerName, environment, actions }: HistoryHeaderProps) {
  const t = useTranslations("timeline");
  const environmentName = useEnvironmentName();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
        <p className="mt-1 text-pretty text-ink-2">
          {t("intro", { environment: environmentName(environment), partner: partnerName })}
        </p>
      </div>
      {actions}
    </div>
  );
}
