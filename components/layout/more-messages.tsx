"use client";

import { pageMessages, pageMessagesText } from "#page-messages";
import type { Elements } from "@/components/ui/sentences";
import type { Namespace } from "@/lib/platform/i18n/model/messages";
import { NextIntlClientProvider, useMessages, type Locale } from "next-intl";
import { use, useMemo, useState } from "react";

type MoreMessagesProps = {
  namespaces: readonly Namespace[];
  /** Left out if the document contains them as JSON. */
  messages?: Partial<ReturnType<typeof useMessages>>;
  locale: Locale;
  /** From the page that sends the messages; the provider above may have older ones. */
  now: Date;
  timeZone: string;
  children: Elements;
};

/** Adds messages to those of the provider above, which next-intl's own provider would replace. */
export function MoreMessages({ namespaces, messages, children, ...page }: MoreMessagesProps) {
  const inherited = useMessages();
  const { locale } = page;
  const id = ["messages", ...namespaces].join("-");
  const found = messages ?? pageMessages(id, locale, namespaces);
  const own = found instanceof Promise ? use(found) : found;
  const all = useMemo(() => ({ ...inherited, ...own }), [inherited, own]);
  // The element stays as long as the page: removing it would re-render the page after hydration.
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
