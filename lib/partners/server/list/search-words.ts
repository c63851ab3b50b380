/**
 * How the list finds partners by words: a partner's name, id and callback hosts are cut into words, and each word's
 * beginnings become terms of an index. A search is cut the same way and finds the partners that have, for each of its
 * words, a word that begins with it. Ignores accents and case; a search does not match inside a word.
 */

/** Longer words share the term of their first letters, and are then compared in full. */
const maxTermLength = 8;

/** Limits for what people may choose as a name; far above any real name and host. */
const maxWords = 40;
const maxWordLength = 60;

/** More words narrow no real search down. */
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

/** The words of a typed search; of an address only its host, so that people can paste a whole callback URL. */
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

/** The one term of all words with this beginning. */
export function termOf(word: string): string {
  return begin(word, maxTermLength);
}

function begin(word: string, letters: number): string {
  return [...word].slice(0, letters).join("");
}
