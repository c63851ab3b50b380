import fc from "fast-check";

/** Whether this is `npm run test:all`. What takes long runs there alone: `it.runIf(isThorough)`. */
export const isThorough = process.env["TEST_ALL"] !== undefined;

/** So many cases of a property there, and a tenth of them otherwise. */
export const cases = (all: number) => ({ numRuns: isThorough ? all : Math.ceil(all / 10) });

/** Holds for so many cases there, and for a tenth of them otherwise. */
export function always<Ts extends [unknown, ...unknown[]]>(
  all: number,
  ...given: [...{ [K in keyof Ts]: fc.Arbitrary<Ts[K]> }, (...each: Ts) => void]
): void {
  fc.assert(fc.property<Ts>(...given), cases(all));
}

/** Any character at all, at once: what fast-check calls `binary` it lists for a second first. */
export const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));
