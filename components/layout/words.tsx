"use client";

import { wordsOf } from "#words";
import type { Elements } from "@/components/ui/sentences";
import { NextIntlClientProvider, type Locale } from "next-intl";
import { use } from "react";

type Now = { locale: Locale; now: Date; timeZone: string; children: Elements };

/** The messages of every screen, and the time. `file`: where a browser finds the messages. */
export function Words({ file, children, ...now }: Now & { file: string }) {
  const words = wordsOf(now.locale, file);
  const messages = words instanceof Promise ? use(words) : words;
  return (
    <NextIntlClientProvider {...now} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}

/** The time of a page: the layout around it may have been drawn long before. */
export function AsOf({ children, ...now }: Now) {
  return <NextIntlClientProvider {...now}>{children}</NextIntlClientProvider>;
}
