"use client";

import { Notice } from "@/components/ui/notice";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import { originOf } from "@/lib/webhooks/model/keeping";
import { useFormatter, useTranslations } from "next-intl";

type NewOriginNoticeProps = {
  url: string;
  /** Those whose messages go elsewhere so far. */
  moved: readonly ConfiguredWebhook[];
  /** The save lets current Authorization values go along, as only an admin may. */
  keeps: boolean;
};

/** Another origin is another receiver: the most costly mistake, and the fraud to look out for. */
export function NewOriginNotice({ url, moved, keeps }: NewOriginNoticeProps) {
  const t = useTranslations("webhooks.sheet.newOrigin");
  const format = useFormatter();
  const origin = originOf(url);
  if (origin === null || moved.length === 0) return null;
  const before = new Set(moved.map(({ callbackUrl }) => originOf(callbackUrl) ?? callbackUrl));
  return (
    <Notice tone="warn" title={t("title")}>
      <p>{t("text", { origin, before: format.list(before) })}</p>
      {keeps && moved.some(({ authorization }) => authorization.set) ? (
        <p className="mt-1">{t("keeps", { origin })}</p>
      ) : null}
    </Notice>
  );
}
