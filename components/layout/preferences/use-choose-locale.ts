"use client";

import { localeCookie, type Locale } from "@/lib/platform/i18n/model/locale";
import { useRouter } from "next/navigation";
import { rememberPreference } from "./preference-cookie";

/** Switches the language in place: the server renders again, and nothing typed is lost. */
export function useChooseLocale(): (locale: Locale) => void {
  const router = useRouter();
  return (locale) => {
    rememberPreference(localeCookie, locale);
    router.refresh();
  };
}
