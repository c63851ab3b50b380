"use client";

import { useTranslations } from "next-intl";

const worded = [
  "required",
  "too_long",
  "not_an_id",
  "not_an_email",
  "invisible_character",
  "taken",
  "has_admin",
] as const;

/** Why a field was refused, in words; undefined where it was not. */
export function useFieldError(): (code: string | null | undefined) => string | undefined {
  const t = useTranslations("partners.fieldErrors");
  return (code) => {
    if (!code) return undefined;
    const known = worded.find((word) => word === code);
    return known ? t(known) : t("other", { code });
  };
}
