/** A text split at where it begins and ends to differ from another one. */
export type ChangedPart = { start: string; changed: string; end: string };

/** What two texts have in common at both ends, so that the eye finds the rest. Cut between characters, never inside one. */
export function changedParts(before: string, after: string): [ChangedPart, ChangedPart] {
  const [a, b] = [Array.from(before), Array.from(after)];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const split = (text: string[]): ChangedPart => ({
    start: text.slice(0, start).join(""),
    changed: text.slice(start, text.length - end).join(""),
    end: text.slice(text.length - end).join(""),
  });
  return [split(a), split(b)];
}
