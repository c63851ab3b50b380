import type { Messages, Namespace } from "@/lib/platform/i18n/model/messages";
import type { Locale } from "next-intl";

type Found = Partial<Messages> | Promise<Partial<Messages>>;

const known = new Map<string, Found>();

/** The messages in the page's language. `id`: the element that contains them. */
export function pageMessages(id: string, locale: Locale, namespaces: readonly Namespace[]): Found {
  const found = known.get(id) ?? find(id, locale, namespaces);
  known.set(id, found);
  return found;
}

function find(id: string, locale: Locale, namespaces: readonly Namespace[]): Found {
  const text = document.getElementById(id)?.textContent;
  if (text) return JSON.parse(text) as Partial<Messages>;
  // If the server failed to render a page, as for an unknown path, Next renders it in the browser.
  return import("@/lib/platform/i18n/model/messages").then(({ pickMessages }) =>
    pickMessages(locale, namespaces),
  );
}

/** The empty text if the page already contains the messages; null if it came without them. */
export function pageMessagesText(id: string): string | null {
  return document.getElementById(id) && "";
}
