"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

type WebhooksHeaderProps = {
  partnerName: string;
  /** When and whether the payment service confirmed what is shown. */
  confirmation?: ReactNode;
  actions?: ReactNode;
};

export function WebhooksHeader({ partnerName, confirmation, actions }: WebhooksHeaderProps) {
  const t = useTranslations("webhooks");
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
        <p className="mt-1 text-pretty text-ink-2">
          {t("intro", { partner: partnerName })} {confirmation}
        </p>
      </div>
      {actions ? (
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-auto">{actions}</div>
      ) : null}
    </div>
  );
}
