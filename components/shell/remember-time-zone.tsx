"use client";

import { timeZoneCookie } from "@/lib/i18n/time-zone";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { rememberPreference } from "./preference-cookie";

/** Tells the server, once, in which time zone the reader lives, and has the times on the page written anew. */
export function RememberTimeZone() {
  const router = useRouter();
  useEffect(() => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (document.cookie.split("; ").includes(`${timeZoneCookie}=${zone}`)) return;
    rememberPreference(timeZoneCookie, zone);
    router.refresh();
  }, [router]);
  return null;
}
