import "server-only";
import { createHash } from "node:crypto";
import { locales, type Locale } from "./model/locale";
import { messagesByLocale } from "./model/messages";

/** A language's messages as a file that browsers keep for good: its name has a digest of what it contains. */
type WordsFile = { path: string; json: string };

const files = new Map<Locale, WordsFile>();

/** All that screens draw: one file for every page, so that a browser needs it once. */
export function wordsFile(locale: Locale): WordsFile {
  const known = files.get(locale);
  if (known) return known;
  const drawn = Object.entries(messagesByLocale[locale]).filter(([name]) => name !== "mail");
  const json = JSON.stringify(Object.fromEntries(drawn));
  const digest = createHash("sha256").update(json).digest("base64url").slice(0, 16);
  const file = { path: `/words/${locale}.${digest}.json`, json };
  files.set(locale, file);
  return file;
}

/**
 * Undefined for a name of no language. While instances are replaced, one is asked for the file that another one's page
 * names: it gives its own, not to be kept.
 */
export function wordsFileAt(name: string): { json: string; isAsNamed: boolean } | undefined {
  const locale = locales.find((each) => name.startsWith(`${each}.`));
  if (!locale) return undefined;
  const { path, json } = wordsFile(locale);
  return { json, isAsNamed: path.endsWith(`/${name}`) };
}
