import { brandStyles, shownBrand } from "@/app/shown-brand";
import { inTitle } from "@/app/title-of";
import { BrandProvider } from "@/components/layout/brand";
import { EarlyPress } from "@/components/layout/early-press";
import { mono, sans } from "@/components/layout/fonts/fonts";
import { knownTheme, themeCookie } from "@/components/layout/preferences/theme";
import { Words } from "@/components/layout/words";
import { env } from "@/lib/platform/env/env";
import { nonceIn } from "@/lib/platform/http/content-security-policy";
import { preferenceIn } from "@/lib/platform/i18n/model/preference-cookie-name";
import { wordsFile } from "@/lib/platform/i18n/words-file";
import type { Metadata } from "next";
import { getLocale, getNow, getTimeZone, getTranslations } from "next-intl/server";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { preload } from "react-dom";
import "./globals.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("common");
  const { name: product, icon } = shownBrand();
  return {
    title: { default: product, template: `%s · ${inTitle(product)}` },
    description: t("tagline"),
    robots: { index: false, follow: false },
    icons:
      icon === null
        ? { icon: "/icons/icon.svg", apple: "/icons/apple-touch-icon.png" }
        : { icon, apple: icon },
    manifest: "/manifest.webmanifest",
  };
}

/** Language and theme come from the request, so the first paint is right before any script runs. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, now, timeZone, jar, requestHeaders] = await Promise.all([
    getLocale(),
    getNow(),
    getTimeZone(),
    cookies(),
    headers(),
  ]);
  const { colours } = env().brand;
  const { path: words } = wordsFile(locale);
  // Beside the scripts, which wait for it.
  preload(words, { as: "fetch", crossOrigin: "anonymous" });
  return (
    <html
      lang={locale}
      data-theme={knownTheme(preferenceIn(jar, themeCookie))}
      className={`${sans.variable} ${mono.variable} font-sans`}
    >
      <body>
        {colours ? (
          <style nonce={nonceIn(requestHeaders)} suppressHydrationWarning>
            {brandStyles(colours)}
          </style>
        ) : null}
        <Words locale={locale} file={words} now={now} timeZone={timeZone}>
          <BrandProvider brand={shownBrand()}>
            <EarlyPress nonce={nonceIn(requestHeaders)}>
              <div className="contents">{children}</div>
            </EarlyPress>
          </BrandProvider>
        </Words>
      </body>
    </html>
  );
}
