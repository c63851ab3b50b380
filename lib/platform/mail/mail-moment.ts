import "server-only";
import { env } from "@/lib/platform/env/env";
import type { Locale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { createTranslator } from "use-intl/core";

/** A time in a mail, in the operator's zone, which it names: readers may be anywhere. */
export function mailMoment(locale: Locale, ms: number): string {
  const { mailTimeZone: timeZone } = env();
  const messages = messagesByLocale[locale];
  const t = createTranslator({ locale, messages, namespace: "mail", timeZone });
  const at = new Date(ms);
  return t("alerts.moment", { at, zone: zoneName(locale, at, timeZone) });
}

/** With the difference from UTC: a name alone is known to few elsewhere. */
function zoneName(locale: Locale, at: Date, timeZone: string): string {
  if (timeZone === "UTC") return timeZone;
  const inForm = (timeZoneName: "shortOffset" | "long") =>
    new Intl.DateTimeFormat(locale, { timeZone, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  return `(${inForm("long")}, ${inForm("shortOffset").replace("GMT", "UTC")})`;
}
