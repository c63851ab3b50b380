"use client";

import { useChooseLocale } from "@/components/layout/preferences/use-choose-locale";
import { cn } from "@/components/ui/cn";
import { localeNames, locales } from "@/lib/platform/i18n/model/locale";
import { useLocale, useTranslations } from "next-intl";

/** Each language's name is in that language: a person who needs it may not read the current one. */
export function LanguageSwitch() {
  const t = useTranslations("signIn");
  const current = useLocale();
  const choose = useChooseLocale();
  return (
    <div role="group" aria-label={t("language")} className="flex justify-center gap-1">
      {locales.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === current}
          onClick={() => choose(locale)}
          className={cn(
            "min-h-8 rounded-control px-2.5 text-small",
            locale === current ? "font-medium text-ink" : "text-ink-3 hover:text-ink",
          )}
        >
          {localeNames[locale]}
        </button>
      ))}
    </div>
  );
}
