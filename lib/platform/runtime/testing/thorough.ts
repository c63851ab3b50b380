import fc from "fast-check";

/** Whether this is `npm run test:all`. What takes long runs there alone: `it.runIf(isThorough)`. */
export const isThorough = process.env["TEST_ALL"] !== undefined;

/**
 * Whether sequences of what people do are tried in full. In which order they come is decided above the database: a tenth
 * of them sends every statement to PostgreSQL, where they take longest.
 */
export const triesAll = isThorough && process.env["TEST_ENGINE"] !== "postgres";

/** So many cases of a property there, and a tenth of them otherwise. */
export const cases = (all: number) => ({ numRuns: triesAll ? all : Math.ceil(all / 10) });

/** Holds for so many cases there, and for a tenth of them otherwise. */
export function always<Ts extends [unknown, ...unknown[]]>(
  all: number,
  ...given: [...{ [K in keyof Ts]: fc.Arbitrary<Ts[K]> }, (...each: Ts) => void]
): void {
  fc.assert(fc.property<Ts>(...given), cases(all));
}

/** Any character at all, at once: what fast-check calls `binary` it lists for a second first. */
export const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));
