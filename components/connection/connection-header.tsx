"use client";

import { useTranslations } from "next-intl";

type ConnectionHeaderProps = { partnerName: string; environmentName: string };

export function ConnectionHeader({ partnerName, environmentName }: ConnectionHeaderProps) {
  const t = useTranslations("connection");
  return (
    <div className="min-w-0">
      <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
      <p className="mt-1 text-pretty text-ink-2">
        {t("intro", { partner: partnerName, environment: environmentName })}
      </p>
    </div>
  );
}
