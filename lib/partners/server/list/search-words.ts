/**
 * How the list finds partners: a partner's name, id and callback hosts are stored as words. A search is split the same
 * way, and each of its words must be the prefix of a stored one. Ignores accents and case.
 */

/** Limits for names that people choose, far above any real name and host. */
const maxWords = 40;
const maxWordLength = 60;

/** More words would not narrow a real search further. */
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

/** The words of a search. Only the host of an address counts, so that people can paste a callback URL. */
export function searchWords(search: string): string[] {
  const isAddress = /^https?:\/\//i.test(search) && URL.canParse(search);
  return wordsOf(isAddress ? new URL(search).host : search).slice(0, maxSearchWords);
}

/** The words as stored for the search, each after a space. */
export function searchable(...texts: readonly string[]): string {
  return wordsOf(...texts)
    .map((word) => ` ${word}`)
    .join("");
}
