import { pickMessages, type Namespace } from "@/lib/platform/i18n/model/messages";
import type { Elements } from "@/components/ui/sentences";
import { getLocale, getNow, getTimeZone } from "next-intl/server";
import { headers } from "next/headers";
import { MoreMessages } from "./more-messages";

type ClientMessagesProps = {
  /** The namespaces that the client components inside need and no layout above sends. A test checks both. */
  namespaces: readonly Namespace[];
  children: Elements;
};

/**
 * Sends the browser the messages of these namespaces, in addition to those it has. On a full page load they go as JSON
 * in the document: as React props they would be a fifth of the server's work for the page.
 */
export async function ClientMessages({ namespaces, children }: ClientMessagesProps) {
  const [locale, now, timeZone] = await Promise.all([getLocale(), getNow(), getTimeZone()]);
  const isDocument = (await headers()).get("sec-fetch-dest") === "document";
  return (
    <MoreMessages
      locale={locale}
      now={now}
      timeZone={timeZone}
      namespaces={namespaces}
      {...(!isDocument && { messages: pickMessages(locale, namespaces) })}
    >
      {children}
    </MoreMessages>
  );
}
