import type { Messages, Namespace } from "@/lib/platform/i18n/model/messages";
import type { Locale } from "next-intl";
import { messagesId } from "./id";

type Found = Partial<Messages> | Promise<Partial<Messages>>;

const known = new Map<string, Found>();

/** Of the language in which the page came. */
export function pageMessages(locale: Locale, namespaces: readonly Namespace[]): Found {
  const id = messagesId(namespaces);
  const found = known.get(id) ?? find(id, locale, namespaces);
  known.set(id, found);
  return found;
}

function find(id: string, locale: Locale, namespaces: readonly Namespace[]): Found {
  const text = document.getElementById(id)?.textContent;
  if (text) return JSON.parse(text) as Partial<Messages>;
  // The framework leaves a page to the browser where drawing it failed on the server, also for an unknown address.
  return import("@/lib/platform/i18n/model/messages").then(({ pickMessages }) =>
    pickMessages(locale, namespaces),
  );
}

/** The page has it. */
export function pageMessagesText(): string {
  return "";
}
