import { localeCookie, negotiateLocale, type Locale } from "@/lib/platform/i18n/model/locale";
import { preferenceIn } from "@/lib/platform/i18n/model/preference-cookie-name";
import { knownTimeZone, timeZoneCookie } from "@/lib/platform/i18n/model/time-zone";
import { NextRequest } from "next/server";

/** For whom a file is written. */
export type Reader = { locale: Locale; timeZone: string };

/** As the pages know their reader. A program that names no language reads English, in UTC. */
export function readerOf({ url, headers }: Request): Reader {
  const { cookies } = new NextRequest(url, { headers });
  return {
    locale: negotiateLocale(preferenceIn(cookies, localeCookie), headers.get("accept-language")),
    timeZone: knownTimeZone(preferenceIn(cookies, timeZoneCookie)),
  };
}
