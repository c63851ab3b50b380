import type { Locale } from "@/lib/platform/i18n/model/locale";
import type { Messages } from "@/lib/platform/i18n/model/messages";

/** Message keys and locales are checked by the compiler. */
declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}
