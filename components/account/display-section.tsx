"use client";

import { Segmented } from "@/components/forms/choice";
import { rememberPreference } from "@/components/layout/preferences/preference-cookie";
import { themeCookie, type Theme } from "@/components/layout/preferences/theme";
import { useChooseLocale } from "@/components/layout/preferences/use-choose-locale";
import { Section } from "@/components/ui/section";
import { localeNames, locales } from "@/lib/platform/i18n/model/locale";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";

const themes = ["light", "dark", "system"] as const;

/** The theme and the language of this browser. Without `theme`, the system decides. */
export function DisplaySection({ theme }: { theme: Theme | undefined }) {
  const t = useTranslations("account.display");
  const [chosen, setChosen] = useState<(typeof themes)[number]>(theme ?? "system");
  const chooseLocale = useChooseLocale();
  const router = useRouter();

  function choose(next: typeof chosen) {
    setChosen(next);
    rememberPreference(themeCookie, next === "system" ? null : next);
    if (next === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = next;
    // So that Back does not restore a page with the previous choice.
    router.refresh();
  }

  return (
    <Section screenOnly anchor="display" title={t("title")} text={t("text")}>
      <div className="grid max-w-md gap-4">
        <Segmented
          label={t("theme")}
          value={chosen}
          onChange={choose}
          options={themes.map((value) => ({ value, label: t(`themes.${value}`) }))}
        />
        <Segmented
          label={t("language")}
          value={useLocale()}
          onChange={chooseLocale}
          options={locales.map((value) => ({ value, label: localeNames[value], lang: value }))}
        />
      </div>
    </Section>
  );
}
