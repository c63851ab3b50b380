import { getRequestConfig } from "next-intl/server";
import { cookies, headers } from "next/headers";
import { localeCookie, negotiateLocale } from "./locale";
import { messagesByLocale } from "./messages";
import { preferenceIn } from "./preference-cookie-name";
import { knownTimeZone, timeZoneCookie } from "./time-zone";

/** Language and time zone of one request: from cookies and headers, never from the address. */
export default getRequestConfig(async () => {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  const locale = negotiateLocale(preferenceIn(jar, localeCookie), sent.get("accept-language"));
  return {
    locale,
    messages: messagesByLocale[locale],
    timeZone: knownTimeZone(preferenceIn(jar, timeZoneCookie)),
    // The browser counts ages from it: its own clock may be wrong.
    now: new Date(),
  };
});
