/** The languages of Gancho; the first is the default. */
export const locales = ["en", "pt-BR"] as const;
export type Locale = (typeof locales)[number];

/** Remembers the language a person chose. */
export const localeCookie = "gancho-locale";

/** Each language's name for itself. */
export const localeNames: Record<Locale, string> = { en: "English", "pt-BR": "Português" };

/**
 * The chosen language, else the best of the browser's (RFC 9110, 12.5.4), else the installation's, else English. The
 * first two are untrusted.
 */
export function negotiateLocale(
  chosen: string | undefined,
  acceptLanguage: string | null | undefined,
  installation: Locale | null = null,
): Locale {
  return (
    locales.find((locale) => locale === chosen) ??
    preferred(acceptLanguage ?? "") ??
    installation ??
    locales[0]
  );
}

/** The languages of a mail to a person: theirs, else the installation's, else all, one below the other: never none. */
export function mailLocales(
  chosen: string | null,
  installation: Locale | null,
): readonly [Locale, ...Locale[]] {
  // Any other stored value, "all" among them, means every language.
  const theirs = locales.find((known) => known === chosen);
  if (theirs) return [theirs];
  return installation && chosen === null ? [installation] : locales;
}

/** Longer headers come from no browser. */
const maxHeader = 500;

function preferred(acceptLanguage: string): Locale | undefined {
  const ranges = acceptLanguage
    .slice(0, maxHeader)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { language: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);

  for (const { language } of ranges) {
    // Any Portuguese is closer to ours than English is.
    const match = locales.find((locale) => locale.toLowerCase().split("-")[0] === language);
    if (match) return match;
  }
  return undefined;
}
