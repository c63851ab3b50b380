/**
 * How partners are found by words: a partner's name, id and callback hosts are cut into words, and each word's
 * beginnings become terms of an index. A search is cut the same way and finds the partners that have, for each of its
 * words, a word that begins so. Accents and case do not count; what stands inside a word does not begin it.
 */

/** Words of more letters share the term of their first ones, and are compared in full after it. */
const maxTermLength = 8;

/** Bounds for what somebody may choose to be called; far above any real name and host. */
const maxWords = 40;
const maxWordLength = 60;

/** Nobody narrows a search down with more. */
const maxSearchWords = 6;

/** The different words of the texts, without accents, in lower case. */
export function wordsOf(...texts: readonly string[]): string[] {
  const plain = texts
    .join(" ")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => begin(word, maxWordLength)))].slice(0, maxWords);
}

/** The words of what somebody typed; of an address only its host, so that a callback URL can be pasted whole. */
export function searchWords(search: string): string[] {
  const isAddress = /^https?:\/\//i.test(search) && URL.canParse(search);
  return wordsOf(isAddress ? new URL(search).host : search).slice(0, maxSearchWords);
}

/** All beginnings of the words that are terms. */
export function termsOf(words: readonly string[]): string[] {
  const terms = words.flatMap((word) => {
    const letters = [...word].slice(0, maxTermLength);
    return letters.map((_, index) => letters.slice(0, index + 1).join(""));
  });
  return [...new Set(terms)];
}

/** The one term under which all words are that begin so. */
export function termOf(word: string): string {
  return begin(word, maxTermLength);
}

function begin(word: string, letters: number): string {
  return [...word].slice(0, letters).join("");
}
