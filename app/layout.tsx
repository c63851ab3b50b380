import { ClientMessages } from "@/components/layout/client-messages";
import { EarlyPress } from "@/components/layout/early-press";
import { mono, sans } from "@/components/layout/fonts/fonts";
import { knownTheme, themeCookie } from "@/components/layout/preferences/theme";
import { nonceIn } from "@/lib/platform/http/content-security-policy";
import { preferenceIn } from "@/lib/platform/i18n/model/preference-cookie-name";
import type { Metadata } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import "./globals.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("common");
  return {
    title: { default: t("product"), template: `%s · ${t("product")}` },
    description: t("tagline"),
    robots: { index: false, follow: false },
    icons: { icon: "/icons/icon.svg", apple: "/icons/apple-touch-icon.png" },
    manifest: "/manifest.webmanifest",
  };
}

/** Language and theme come from the request, so the first paint is right before any script runs. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, jar, requestHeaders] = await Promise.all([getLocale(), cookies(), headers()]);
  return (
    <html
      lang={locale}
      data-theme={knownTheme(preferenceIn(jar, themeCookie))}
      className={`${sans.variable} ${mono.variable} font-sans`}
    >
      <body>
        <EarlyPress nonce={nonceIn(requestHeaders)} />
        <NextIntlClientProvider messages={{}}>
          <ClientMessages namespaces={["common", "shell"]}>{children}</ClientMessages>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
