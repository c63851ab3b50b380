/**
 * Which item of a menu a key moves to, as an index into `names`; null when the key moves nowhere.
 * `from` is -1 while no item has focus. A letter goes to the next item whose name begins with it.
 */
export function menuMove(key: string, from: number, names: readonly string[]): number | null {
  const count = names.length;
  if (count === 0) return null;
  if (key === "ArrowDown") return (from + 1) % count;
  if (key === "ArrowUp") return from <= 0 ? count - 1 : from - 1;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key.length !== 1 || key === " ") return null;

  const letter = key.toLocaleLowerCase();
  for (let step = 1; step <= count; step += 1) {
    const at = (from + step) % count;
    if (names[at]?.trim().toLocaleLowerCase().startsWith(letter)) return at;
  }
  return null;
}
