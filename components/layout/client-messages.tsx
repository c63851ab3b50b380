import { pickMessages, type Namespace } from "@/lib/platform/i18n/model/messages";
import { getLocale, getNow, getTimeZone } from "next-intl/server";
import type { ReactNode } from "react";
import { MoreMessages } from "./more-messages";

type ClientMessagesProps = {
  /** What the client components inside need, and no layout around them has sent already. A test holds pages to both. */
  namespaces: readonly Namespace[];
  children: ReactNode;
};

/** Sends the browser the messages of these namespaces besides those that it has, and no others. */
export async function ClientMessages({ namespaces, children }: ClientMessagesProps) {
  const [locale, now, timeZone] = await Promise.all([getLocale(), getNow(), getTimeZone()]);
  const messages = pickMessages(locale, namespaces);
  return (
    <MoreMessages locale={locale} now={now} timeZone={timeZone} messages={messages}>
      {children}
    </MoreMessages>
  );
}
