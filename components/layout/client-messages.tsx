import { pickMessages, type Namespace } from "@/lib/platform/i18n/model/messages";
import { getLocale, getNow, getTimeZone } from "next-intl/server";
import type { ReactNode } from "react";
import { MoreMessages } from "./more-messages";

type ClientMessagesProps = {
  /** The namespaces that the client components inside need and no layout around them sends. A test checks both. */
  namespaces: readonly Namespace[];
  children: ReactNode;
};

/** Sends the browser the messages of these namespaces in addition to those it has, and no others. */
export async function ClientMessages({ namespaces, children }: ClientMessagesProps) {
  const [locale, now, timeZone] = await Promise.all([getLocale(), getNow(), getTimeZone()]);
  const messages = pickMessages(locale, namespaces);
  return (
    <MoreMessages locale={locale} now={now} timeZone={timeZone} messages={messages}>
      {children}
    </MoreMessages>
  );
}
