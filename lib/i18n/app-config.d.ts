import type { Locale } from "./locale";
import type { Messages } from "./messages";

/** Message keys and locales are checked by the compiler. */
declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}
