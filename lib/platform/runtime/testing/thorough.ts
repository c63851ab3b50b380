/** Whether this is `npm run test:all`. What takes long runs there alone: `it.runIf(isThorough)`. */
export const isThorough = process.env["TEST_ALL"] !== undefined;

/** So many cases of a property there, and a tenth of them otherwise. */
export function cases(all: number): { numRuns: number } {
  return { numRuns: isThorough ? all : Math.ceil(all / 10) };
}
