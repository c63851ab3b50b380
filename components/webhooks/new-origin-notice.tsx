"use client";

import { Notice } from "@/components/ui/notice";
import type { ConfiguredWebhook } from "@/lib/webhooks/configuration";
import { originOf } from "@/lib/webhooks/keeping";
import { useFormatter, useTranslations } from "next-intl";

type NewOriginNoticeProps = {
  url: string;
  /** Those whose messages go elsewhere so far. */
  moved: readonly ConfiguredWebhook[];
};

/** Another origin is another receiver: the most costly mistake, and the fraud to look out for. */
export function NewOriginNotice({ url, moved }: NewOriginNoticeProps) {
  const t = useTranslations("webhooks.sheet.newOrigin");
  const format = useFormatter();
  const origin = originOf(url);
  if (origin === null || moved.length === 0) return null;
  const before = new Set(moved.map(({ callbackUrl }) => originOf(callbackUrl) ?? callbackUrl));
  return (
    <Notice tone="warn" title={t("title")}>
      {t("text", { origin, before: format.list(before) })}
    </Notice>
  );
}
