"use client";

import { RelativeTime } from "@/components/ui/time";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import { useTranslations } from "next-intl";

export function LastChange({ change }: { change: ConfiguredWebhook["lastChange"] }) {
  const t = useTranslations("webhooks.card");
  if (!change) return t("neverChanged");
  const time = () => <RelativeTime at={change.at} />;
  return change.by === null
    ? t.rich("changedOutside", { time })
    : change.approvedBy === undefined
      ? t.rich("changedBy", { name: change.by, time })
      : t.rich("changedByTwo", { name: change.by, approver: change.approvedBy, time });
}
