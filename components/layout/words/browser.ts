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

/** null, or a rejection, where another answer came, or none, or part of one. */
async function fetchWords(path: string): Promise<Words | null> {
  const answer = await fetch(path);
  return answer.ok ? ((await answer.json()) as Words) : null;
}

/** What the server has drawn stays readable meanwhile, and presses wait: it is asked for until it comes. */
async function load(path: string): Promise<Words> {
  for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 8_000)) {
    const words = await fetchWords(path).catch(() => null);
    if (words) return words;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
