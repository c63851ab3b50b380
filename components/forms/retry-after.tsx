"use client";

import { useTranslations } from "next-intl";

/** From here on people count in minutes, and in hours; both in seconds. */
const countedInMinutes = 120;
const countedInHours = 2 * 60 * 60;

/** When it is worth trying again; nothing where that is not known. */
export function RetryAfter({ seconds }: { seconds: number | undefined }) {
  const t = useTranslations("problems");
  if (!seconds) return null;
  if (seconds < countedInMinutes) return <p>{t("retryAfter", { seconds })}</p>;
  return (
    <p>
      {seconds < countedInHours
        ? t("retryAfterMinutes", { minutes: Math.ceil(seconds / 60) })
        : t("retryAfterHours", { hours: Math.ceil(seconds / 3_600) })}
    </p>
  );
}
