/** What the fonts are cut to (`npm run subset-fonts`): English, Portuguese and the signs of the screens. */
export const fontCharacters = [
  ...characters(0x20, 0x7e),
  ...characters(0xa0, 0xff),
  ..."–—‘’“”•…−→",
].join("");

function characters(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) =>
    String.fromCodePoint(first + index),
  );
}
