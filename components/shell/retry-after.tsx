"use client";

import { useTranslations } from "next-intl";

/** From here on people count in minutes. */
const countedInMinutes = 120;

/** When it is worth trying again; nothing where that is not known. */
export function RetryAfter({ seconds }: { seconds: number | undefined }) {
  const t = useTranslations("problems");
  if (!seconds) return null;
  return (
    <p>
      {seconds < countedInMinutes
        ? t("retryAfter", { seconds })
        : t("retryAfterMinutes", { minutes: Math.ceil(seconds / 60) })}
    </p>
  );
}
