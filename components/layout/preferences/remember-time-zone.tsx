"use client";

import { preferenceCookieName } from "@/lib/platform/i18n/model/preference-cookie-name";
import { timeZoneCookie } from "@/lib/platform/i18n/model/time-zone";
import { useTimeZone } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { rememberPreference } from "./preference-cookie";

type RememberTimeZoneProps = {
  /** The page shows times, so it is rendered again if they were in another zone. */
  times?: boolean;
};

/**
 * Stores the reader's time zone in a cookie for the server: at sign-in, so that no page with times has to be rendered
 * twice, and again whenever the cookie is missing.
 */
export function RememberTimeZone({ times = true }: RememberTimeZoneProps) {
  const router = useRouter();
  const rendered = useTimeZone();
  useEffect(() => {
    const zone = timeZoneOfBrowser();
    const name = preferenceCookieName(timeZoneCookie, location.protocol === "https:");
    if (document.cookie.split("; ").includes(`${name}=${zone}`)) return;
    rememberPreference(timeZoneCookie, zone);
    if (times && zone !== rendered) router.refresh();
  }, [router, times, rendered]);
  return null;
}

/** Prefers `Temporal`: the first `DateTimeFormat` of a page blocks it for 20 ms or more. */
function timeZoneOfBrowser(): string {
  const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId: () => string } } };
  return Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
