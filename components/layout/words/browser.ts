import type { Messages } from "@/lib/platform/i18n/model/messages";
import type { Locale } from "next-intl";

type Words = Omit<Messages, "mail">;

const found = new Map<string, Promise<Words>>();

/** The messages in the page's language, from the file that the page names and the browser has kept or is loading. */
export function wordsOf(_locale: Locale, path: string): Words | Promise<Words> {
  const words = found.get(path) ?? load(path);
  found.set(path, words);
  return words;
}

/** What the server has drawn stays readable meanwhile, and presses wait: it is asked for until it comes. */
async function load(path: string): Promise<Words> {
  for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 8_000)) {
    const answer = await fetch(path).catch(() => null);
    if (answer?.ok) return (await answer.json()) as Words;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
