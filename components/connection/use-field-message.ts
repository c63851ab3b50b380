"use client";

import { useTranslations } from "next-intl";

const worded = [
  "required",
  "surrounding_space",
  "invisible_character",
  "colon",
  "masked",
  "too_long",
] as const;

/** Why a field was refused, in words; undefined where it was not. A code without words can at least be quoted. */
export function useFieldMessage(): (code: string | undefined) => string | undefined {
  const t = useTranslations("connection.fieldErrors");
  return (code) => {
    if (!code) return undefined;
    const known = worded.find((word) => word === code);
    return known ? t(known) : t("other", { code });
  };
}
