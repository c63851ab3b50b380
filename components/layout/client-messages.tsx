import { pickMessages, type Namespace } from "@/lib/platform/i18n/model/messages";
import { NextIntlClientProvider } from "next-intl";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";

type ClientMessagesProps = {
  /** All that the client components inside need: an inner provider replaces an outer one. */
  namespaces: readonly Namespace[];
  children: ReactNode;
};

/** Sends the browser the messages of these namespaces, and no others. */
export async function ClientMessages({ namespaces, children }: ClientMessagesProps) {
  const locale = await getLocale();
  return (
    <NextIntlClientProvider messages={pickMessages(locale, namespaces)}>
      {children}
    </NextIntlClientProvider>
  );
}
