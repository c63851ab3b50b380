"use client";

import type { WebhookType } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TypeIcon } from "./type-icon";

/** `id` is the heading's, for the region that it names. */
export function CardHeading({
  id,
  type,
  badge,
}: {
  id: string;
  type: WebhookType;
  badge: ReactNode;
}) {
  const t = useTranslations("webhooks");
  return (
    <div className="flex items-start gap-3">
      <TypeIcon type={type} />
      <div className="min-w-0 flex-1">
        <h2 id={id} className="text-[0.9375rem] leading-5 font-semibold">
          {t(`types.${type}`)}
        </h2>
        <p className="text-small text-ink-3">{t(`kinds.${type}`)}</p>
      </div>
      {badge}
    </div>
  );
}
