import { problemCatalogue } from "@/lib/platform/http/model/problem";
import { expect, test } from "vitest";
import { locales, type Locale } from "./locale";
import { messagesByLocale } from "./messages";

/** Every message by its dotted key. */
function flatten(value: object, prefix = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === "string") flat.set(prefix + key, child);
    else for (const [k, v] of flatten(child, `${prefix}${key}.`)) flat.set(k, v);
  }
  return flat;
}

const flat = new Map(locales.map((locale) => [locale, flatten(messagesByLocale[locale])]));
const messages = (locale: Locale) => flat.get(locale) ?? new Map<string, string>();

/** Names and kinds of the arguments: `{name`, `{count, plural`, and `<tags>`. */
function argumentsOf(message: string): string[] {
  const found = message.matchAll(/\{\s*(\w+)\s*(?:,\s*(\w+))?(?=[,}])|<\/?(\w+)>/g);
  return [
    ...new Set([...found].map(([, name, kind, tag]) => tag ?? `${name}:${kind ?? "text"}`)),
  ].sort();
}

test("both languages have the same messages", () => {
  expect([...messages("pt-BR").keys()].sort()).toEqual([...messages("en").keys()].sort());
});

test("a message takes the same arguments in both languages", () => {
  for (const [key, english] of messages("en")) {
    expect(argumentsOf(messages("pt-BR").get(key) ?? ""), key).toEqual(argumentsOf(english));
  }
});

test("no message names a style of dates or numbers, which compiled messages do not know: a mail said the date twice and no time", () => {
  for (const locale of locales)
    for (const [key, message] of messages(locale))
      expect(message, `${locale} ${key}`).not.toMatch(
        /\{\s*\w+\s*,\s*(date|time|number)\s*,\s*(?!\s|::)/,
      );
});

test("no message names the product: an installation has its operator's name", () => {
  for (const locale of locales)
    for (const [key, message] of messages(locale))
      expect(`${key} ${message}`, locale).not.toMatch(/gancho/i);
});

test("no message is empty or starts or ends with space", () => {
  for (const locale of locales)
    for (const [key, message] of messages(locale))
      expect(message, `${locale} ${key}`).toMatch(/^\S(?:[^]*\S)?$/);
});

test("every problem says what happened and what to do next, in each language", () => {
  for (const code of Object.keys(problemCatalogue))
    for (const part of ["title", "next"]) {
      const key = `problems.${code}.${part}`;
      const texts = locales.map((locale) => messages(locale).get(key));
      for (const text of texts) expect(text, key).toMatch(/\.$/);
      expect(new Set(texts).size, key).toBe(locales.length);
    }
});
