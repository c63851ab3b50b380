import { pickMessages, type Namespace } from "@/lib/platform/i18n/model/messages";
import { getLocale, getNow, getTimeZone } from "next-intl/server";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { MoreMessages } from "./more-messages";

type ClientMessagesProps = {
  /** The namespaces that the client components inside need and no layout around them sends. A test checks both. */
  namespaces: readonly Namespace[];
  children: ReactNode;
};

/**
 * Sends the browser the messages of these namespaces in addition to those it has, and no others. A page that the browser
 * loads as a document contains them as JSON: in React's data they would take a fifth of the server's work for the page.
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
