export type Dice = ReturnType<typeof diceOf>;

/** The same numbers give the same draws, one after the other (mulberry32). */
export function diceOf(...numbers: readonly number[]) {
  let state = numbers.reduce((mixed, number) => Math.imul(mixed ^ number, 0x9e3779b1) + 1, 7);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let drawn = Math.imul(state ^ (state >>> 15), 1 | state);
    drawn = (drawn + Math.imul(drawn ^ (drawn >>> 7), 61 | drawn)) ^ drawn;
    return ((drawn ^ (drawn >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from 0, and less than `below`. */
  const under = (below: number) => Math.floor(next() * below);
  return {
    under,
    oneOf: <Value>(values: readonly [Value, ...Value[]]) =>
      values[under(values.length)] ?? values[0],
    /** True with this probability. */
    chance: (part: number) => next() < part,
  };
}
