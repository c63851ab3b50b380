"use client";

import { pageMessages, pageMessagesText } from "#page-messages";
import type { Namespace } from "@/lib/platform/i18n/model/messages";
import { NextIntlClientProvider, useMessages, type Locale } from "next-intl";
import { use, useMemo, useState, type ReactNode } from "react";

type MoreMessagesProps = {
  namespaces: readonly Namespace[];
  /** Left out where the page contains them. */
  messages?: Partial<ReturnType<typeof useMessages>>;
  locale: Locale;
  /** From the page that brings the messages: those around it may be older. */
  now: Date;
  timeZone: string;
  children: ReactNode;
};

/**
 * The library's own provider would keep only the messages it is given, and sending messages twice means parsing them
 * twice.
 */
export function MoreMessages({ namespaces, messages, children, ...page }: MoreMessagesProps) {
  const around = useMessages();
  const { locale } = page;
  const id = ["messages", ...namespaces].join("-");
  const found = messages ?? pageMessages(id, locale, namespaces);
  const own = found instanceof Promise ? use(found) : found;
  const all = useMemo(() => ({ ...around, ...own }), [around, own]);
  // The element stays for as long as the page does: taking it away would draw the page again once it has started.
  const [text] = useState(() => (messages ? null : pageMessagesText(id, locale, namespaces)));
  return (
    <NextIntlClientProvider {...page} messages={all}>
      {children}
      {text === null || messages ? null : (
        <script type="application/json" id={id} suppressHydrationWarning>
          {text}
        </script>
      )}
    </NextIntlClientProvider>
  );
}
