"use client";

import { NextIntlClientProvider, useMessages, type Locale } from "next-intl";
import { useMemo, type ReactNode } from "react";

type MoreMessagesProps = {
  locale: Locale;
  /** From the page that brings the messages: those around it may be older. */
  now: Date;
  timeZone: string;
  messages: Partial<ReturnType<typeof useMessages>>;
  children: ReactNode;
};

/**
 * The library's own provider would keep only the messages it is given, and sending messages twice means parsing them
 * twice.
 */
export function MoreMessages({ messages, children, ...page }: MoreMessagesProps) {
  const around = useMessages();
  const all = useMemo(() => ({ ...around, ...messages }), [around, messages]);
  return (
    <NextIntlClientProvider {...page} messages={all}>
      {children}
    </NextIntlClientProvider>
  );
}
