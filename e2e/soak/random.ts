/** A whole number from 0 to `below`, that one not included. */
export function under(below: number): number {
  return Math.floor(Math.random() * below);
}

export function oneOf<Value>(values: readonly [Value, ...Value[]]): Value {
  return values[under(values.length)] ?? values[0];
}
