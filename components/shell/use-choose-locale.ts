"use client";

import { localeCookie, type Locale } from "@/lib/i18n/locale";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { rememberPreference } from "./preference-cookie";

/** Switches the language where one stands: the server draws again, and nothing typed is lost. */
export function useChooseLocale(): { choose: (locale: Locale) => void; pending: boolean } {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  return {
    pending,
    choose: (locale) => {
      rememberPreference(localeCookie, locale);
      startTransition(() => router.refresh());
    },
  };
}
