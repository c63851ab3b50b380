"use client";

import { useTranslations } from "next-intl";

const worded = [
  "required",
  "not_an_email",
  "already_member",
  "too_long",
  "invisible_character",
] as const;

/** Why a field was refused, in words; undefined where it was not. A code without words can at least be quoted. */
export function useFieldMessage(): (code: string | undefined) => string | undefined {
  const t = useTranslations("team.fieldErrors");
  return (code) => {
    if (!code) return undefined;
    const known = worded.find((word) => word === code);
    return known ? t(known) : t("other", { code });
  };
}
