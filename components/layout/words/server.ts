import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import type * as browser from "./browser";

/** For rendering on the server. */
export const wordsOf: typeof browser.wordsOf = (locale) => messagesByLocale[locale];
