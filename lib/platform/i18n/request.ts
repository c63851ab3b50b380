import { env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { getRequestConfig } from "next-intl/server";
import { cookies, headers } from "next/headers";
import { localeCookie, negotiateLocale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { preferenceIn } from "@/lib/platform/i18n/model/preference-cookie-name";
import { knownTimeZone, timeZoneCookie } from "@/lib/platform/i18n/model/time-zone";

/** Language and time zone of one request: from cookies and headers, never from the address. */
export default getRequestConfig(async () => {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  const locale = negotiateLocale(
    preferenceIn(jar, localeCookie),
    sent.get("accept-language"),
    env().defaultLocale,
  );
  return {
    locale,
    messages: messagesByLocale[locale],
    timeZone: knownTimeZone(preferenceIn(jar, timeZoneCookie)),
    // The browser counts ages from it: its clock may be wrong.
    now: new Date(databaseTime()),
  };
});
