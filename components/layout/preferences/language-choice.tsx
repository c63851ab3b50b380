"use client";

import { MenuChoice } from "@/components/ui/menu";
import { localeNames, locales } from "@/lib/platform/i18n/model/locale";
import { useLocale, useTranslations } from "next-intl";
import { useChooseLocale } from "./use-choose-locale";

export function LanguageChoice() {
  const t = useTranslations("shell");
  const choose = useChooseLocale();
  return (
    <MenuChoice
      label={t("language")}
      value={useLocale()}
      onChange={choose}
      options={locales.map((value) => ({ value, label: localeNames[value], lang: value }))}
    />
  );
}
