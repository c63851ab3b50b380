/** Chance that comes out the same again for the same seed, so that a request that broke something can be made again. */
export type Dice = {
  /** A whole number from 0 to `below`, that one not included. */
  under: (below: number) => number;
  oneOf: <Value>(values: readonly [Value, ...Value[]]) => Value;
  /** True in one of so many cases. */
  oneIn: (cases: number) => boolean;
};

/** Depends on request `number` alone, not on earlier ones. */
export function diceFor(seed: number, number: number): Dice {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const under = (below: number) => Math.floor(next() * below);
  return {
    under,
    oneOf: (values) => values[under(values.length)] ?? values[0],
    oneIn: (cases) => under(cases) === 0,
  };
}
