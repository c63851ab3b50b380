"use client";

import { MenuChoice } from "@/components/ui/menu";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { rememberPreference } from "./preference-cookie";
import { knownTheme, themeCookie } from "./theme";

type Choice = "light" | "dark" | "system";

/** Only ever drawn in an open menu, so the document is there to read the present theme from. */
export function ThemeChoice() {
  const t = useTranslations("shell");
  const [choice] = useState<Choice>(
    () => knownTheme(document.documentElement.dataset["theme"]) ?? "system",
  );
  return (
    <MenuChoice
      label={t("theme")}
      value={choice}
      onChange={applyTheme}
      options={[
        { value: "light", label: t("themes.light") },
        { value: "dark", label: t("themes.dark") },
        { value: "system", label: t("themes.system") },
      ]}
    />
  );
}

function applyTheme(choice: Choice): void {
  const theme = choice === "system" ? null : choice;
  rememberPreference(themeCookie, theme);
  if (theme) document.documentElement.dataset["theme"] = theme;
  else delete document.documentElement.dataset["theme"];
}
