"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { useTranslations } from "next-intl";

/** In full and wrapped anywhere, never cut: people compare it by eye, character by character. */
export function CallbackAddress({ url, typeName }: { url: string; typeName: string }) {
  const t = useTranslations();
  return (
    <div className="flex items-center justify-between gap-2">
      <p className="min-w-0 font-mono text-[0.8125rem] leading-5 break-all text-ink">{url}</p>
      <CopyButton
        text={url}
        label={t("webhooks.card.copyUrl", { type: typeName })}
        copiedLabel={t("common.copied")}
        failedLabel={t("common.copyFailed")}
      />
    </div>
  );
}
