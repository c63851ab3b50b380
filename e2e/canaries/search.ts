import { formsOf } from "./forms";

/** A secret to look for: its kind, which is told, and its text, which is not. */
export type Needle = { kind: string; text: string };

/** What was found, without saying it. */
export type Finding = { kind: string; form: string };

type Pattern = Finding & { bytes: Buffer };

/** Looks for many secrets at once, each in every form of formsOf; one pass over the bytes, however many there are. */
export function searcherFor(needles: readonly Needle[]): (bytes: Buffer) => Finding[] {
  const patterns = new Map<number, Pattern[]>();
  for (const { kind, text } of needles)
    for (const [form, bytes] of formsOf(text)) {
      // Shorter ones would be found everywhere.
      if (bytes.length < shortest) throw new Error(`a ${kind} is too short to be looked for`);
      const key = bytes.readUIntBE(0, keyBytes);
      patterns.set(key, [...(patterns.get(key) ?? []), { kind, form, bytes }]);
    }
  const isStart = new Uint8Array(1 << (8 * keyBytes));
  for (const key of patterns.keys()) isStart[key] = 1;

  return (bytes) => {
    const found = new Map<string, Finding>();
    let key = 0;
    for (let end = 0; end < bytes.length; end += 1) {
      key = ((key << 8) | (bytes[end] ?? 0)) & 0xffffff;
      if (isStart[key] !== 1 || end < keyBytes - 1) continue;
      const start = end - keyBytes + 1;
      for (const { kind, form, bytes: wanted } of patterns.get(key) ?? [])
        if (bytes.subarray(start, start + wanted.length).equals(wanted))
          found.set(`${kind} ${form}`, { kind, form });
    }
    return [...found.values()];
  };
}

const keyBytes = 3;
const shortest = 8;
