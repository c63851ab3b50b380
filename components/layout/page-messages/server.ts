import { pickMessages, type Namespace } from "@/lib/platform/i18n/model/messages";
import type { Locale } from "next-intl";
import type * as browser from "./browser";

const texts = new Map<string, string>();

/** For rendering on the server. */
export const pageMessages: typeof browser.pageMessages = (_id, locale, namespaces) =>
  pickMessages(locale, namespaces);

/** The same as JSON, for the browser. */
export function pageMessagesText(
  _id: string,
  locale: Locale,
  namespaces: readonly Namespace[],
): string | null {
  const key = [locale, ...namespaces].join(" ");
  const text = texts.get(key) ?? JSON.stringify(pickMessages(locale, namespaces));
  texts.set(key, text);
  return text;
}
