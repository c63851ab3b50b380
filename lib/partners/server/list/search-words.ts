/**
 * How the list finds partners by words: a partner's name, id and callback hosts are stored as words. A search is cut the
 * same way and finds the partners that have, for each of its words, a word that begins with it. Ignores accents and
 * case; a search does not match inside a word.
 */

/** Limits for what people may choose as a name; far above any real name and host. */
const maxWords = 40;
const maxWordLength = 60;

/** More words narrow no real search down. */
const maxSearchWords = 6;

/** The different words of the texts, without accents, in lower case. */
function wordsOf(...texts: readonly string[]): string[] {
  const plain = texts
    .join(" ")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => [...word].slice(0, maxWordLength).join("")))].slice(
    0,
    maxWords,
  );
}

/** The words of a typed search; of an address only its host, so that people can paste a whole callback URL. */
export function searchWords(search: string): string[] {
  const isAddress = /^https?:\/\//i.test(search) && URL.canParse(search);
  return wordsOf(isAddress ? new URL(search).host : search).slice(0, maxSearchWords);
}

/** As they are stored for the search: each with a space before it. */
export function searchable(...texts: readonly string[]): string {
  return wordsOf(...texts)
    .map((word) => ` ${word}`)
    .join("");
}
