import fc from "fast-check";

/** Whether this is `npm run test:all`. What takes long runs there alone: `it.runIf(isThorough)`. */
export const isThorough = process.env["TEST_ALL"] !== undefined;

/** So many cases of a property there, and a tenth of them otherwise. */
export function cases(all: number): { numRuns: number } {
  return { numRuns: isThorough ? all : Math.ceil(all / 10) };
}

/** Any character at all, at once: what fast-check calls `binary` it lists for a second first. */
export const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));
